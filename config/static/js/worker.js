// The service worker: keeps the games opened last for reading without network. The server writes `LIBRARY` in
// front of this file: {version, statics, hashed, offline, desk: {page, kept}, files}.
//
// What it keeps it has asked for itself, without cookies: so only pages that everybody may see, and never what the
// server answered to somebody who has signed in. Cataloguing, accounts and API do not pass through here. In the place
// of the desk, where it cannot be reached, stands a page with an empty box: see desk_offline.js.
// Nothing is sent anywhere.
"use strict";

const STATIC = `static-${LIBRARY.version}`;
const KEPT = `kept-${LIBRARY.version}`;
const KEPT_BEFORE = /^kept-/;
const PUBLIC = /^\/(?:games\/\d+\/(?:rules\.html)?|rules\/\d+\/|r\/\d+\/qr\.svg)$/;
const PASSING = /^\/(?:$|games\/|rules\/|r\/|offline\/)/;
const MOST_GAMES = 12;
const MOST_PAGES = 40;
const PATIENCE_MS = 4000;
const ANY = { ignoreVary: true }; // one copy of a page is kept, in the language in which it was read
const SHELLS = [LIBRARY.offline, LIBRARY.desk.kept];
const GATEWAY = new Set([502, 503, 504]); // a proxy answers for a library that is not there

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", (event) => event.waitUntil(keep(event.data)));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate" && url.pathname === LIBRARY.desk.page) event.respondWith(desk(request));
  else if (url.pathname.startsWith(LIBRARY.statics)) event.respondWith(staticFile(request));
  else if (request.mode === "navigate" && PASSING.test(url.pathname)) event.respondWith(page(request, url));
  else if (PUBLIC.test(url.pathname)) event.respondWith(part(request));
});

async function install() {
  const cache = await caches.open(STATIC);
  await cache.addAll(LIBRARY.files);
  for (const path of SHELLS) await cache.add(anonymous(path, self.navigator.language));
  await self.skipWaiting();
}

// The pages kept by the version before name its static files: they are asked for anew, then it goes.
async function activate() {
  const kept = await caches.open(KEPT);
  for (const name of await caches.keys()) {
    if (name === STATIC || name === KEPT) continue;
    if (KEPT_BEFORE.test(name)) await renew(await caches.open(name), kept);
    await caches.delete(name);
  }
  await self.clients.claim();
}

async function renew(before, kept) {
  for (const request of await before.keys()) {
    const old = await before.match(request, ANY);
    await store(kept, new URL(request.url).pathname, old.headers.get("Content-Language"));
  }
}

// --- keeping -----------------------------------------------------------------------------------------------

// A page says that it is open: `paths`, its own first, and the language in which it is read.
async function keep({ paths, language }) {
  const kept = await caches.open(KEPT);
  const own = paths.filter((path) => PUBLIC.test(path));
  await Promise.all([...own.map((path) => store(kept, path, language)), speak(language)]);
  await forgetOldest(kept);
  for (const client of await self.clients.matchAll()) client.postMessage({ kept: own });
}

async function store(cache, path, language) {
  const answer = await fetch(anonymous(path, language)).catch(() => null);
  if (!answer || answer.redirected) return;
  // Deleted first: the order of a cache is the order in which things were put there.
  if (answer.ok || answer.status === 404 || answer.status === 410) await cache.delete(path, ANY);
  if (answer.ok) await cache.put(path, answer);
}

function anonymous(path, language) {
  const headers = language ? { "Accept-Language": language } : {};
  return new Request(path, { credentials: "omit", headers });
}

async function speak(language) {
  const cache = await caches.open(STATIC);
  for (const path of SHELLS) {
    const now = await cache.match(path, ANY);
    if (!now || now.headers.get("Content-Language") !== language) await store(cache, path, language);
  }
}

async function forgetOldest(cache) {
  const paths = (await cache.keys()).map((request) => new URL(request.url).pathname);
  const games = paths.filter((path) => path.endsWith("/rules.html"));
  const others = paths.filter((path) => !path.endsWith("/rules.html"));
  for (const path of [...games.slice(0, -MOST_GAMES), ...others.slice(0, -MOST_PAGES)]) await cache.delete(path, ANY);
}

// --- answering ---------------------------------------------------------------------------------------------

// Static files have their content in their name, so the kept one is the right one; while programming they do not.
async function staticFile(request) {
  const cache = await caches.open(STATIC);
  const kept = await cache.match(request, ANY);
  if (kept && LIBRARY.hashed) return kept;
  const answer = await fetch(request).catch(() => kept ?? Response.error());
  if (answer.ok && !kept) await cache.put(request, answer.clone());
  return answer;
}

// A page from the network; where that fails or takes too long, the kept one, which says that it is one.
async function page(request, url) {
  const kept = await keptPage(url);
  const fresh = fetch(request);
  fresh.catch(() => {});
  try {
    const answer = await (kept ? Promise.race([fresh, tooLong()]) : fresh);
    return kept && GATEWAY.has(answer.status) ? kept : answer;
  } catch {
    return kept ?? (await shell(LIBRARY.offline));
  }
}

function tooLong() {
  return new Promise((_, fail) => setTimeout(fail, PATIENCE_MS));
}

async function keptPage(url) {
  const cache = await caches.open(KEPT);
  const short = url.pathname.match(/^\/r\/(\d+)\/?$/);
  if (short && (await cache.match(`/rules/${short[1]}/`, ANY))) return Response.redirect(`/rules/${short[1]}/`);
  const found = PUBLIC.test(url.pathname) && (await cache.match(url.pathname, ANY));
  return found ? asKept(found) : undefined;
}

// The page has its own note for this, hidden as long as it comes from the library.
async function asKept(found) {
  const html = (await found.text()).replace('id="kept-note" hidden', 'id="kept-note"');
  return new Response(html, { headers: found.headers });
}

// The desk is never shown from before: without the library, the empty one for scans that are kept.
async function desk(request) {
  const answer = await fetch(request).catch(() => null);
  return answer && !GATEWAY.has(answer.status) ? answer : shell(LIBRARY.desk.kept);
}

async function shell(path) {
  const cache = await caches.open(STATIC);
  return (await cache.match(path, ANY)) ?? Response.error();
}

async function part(request) {
  const kept = async () => (await (await caches.open(KEPT)).match(new URL(request.url).pathname, ANY)) ?? Response.error();
  return fetch(request).catch(kept);
}
