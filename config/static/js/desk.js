// The desk: scans typed faster than the page answers wait in a queue and are sent one after the other,
// each with a name (nonce) of its own, so that a scan sent twice counts once and none is lost. The queue
// lies in sessionStorage: it outlives a reload and a sign-out. The page works without this script; not
// htmx but this queue carries it, for htmx reads a form when it sends it and not when Enter was pressed.
//
// The queue keeps the order of Enter. Its first scan belongs to the member who is open when it becomes
// the first; the others to whoever is open once those before them are done. A page that asks something
// holds the queue: only what is scanned or pressed after the question was seen is sent. `held` says why:
//   answer  a refusal or a question; the next answer that asks nothing lets the queue go on
//   card    a code was not understood: the boxes behind it wait for the next card, in order
//   member  another member is open than the one whom the first scan belongs to: a person decides
//
// When the library does not answer, what would be sent goes to desk_offline.js, which keeps it on the disk; the
// scans that are held wait here for their person as ever. A games day has no such list and sends again and again.
"use strict";

const form = document.querySelector("#desk-form");
const box = form.elements.scan;
const waiting = document.querySelector("#desk-waiting");
const goOn = waiting.querySelector("[data-release]");
const signIn = waiting.querySelector("[data-sign-in]");
const say = document.querySelector("#desk-say");

const STORE = `desk-queue${form.dataset.queue ?? ""}`;
const DOUBLE_ENTER_MS = 700;
const TRY_AGAIN_MS = 2000;
const SHOW_WAITING_MS = 400;

let { queue = [], held = "", question = 0 } = JSON.parse(sessionStorage.getItem(STORE) || "{}");
let sending = false;
let enteredAt = 0;
let reason = ""; // why scans wait, while the list of them is shown

const offline = globalThis.offlineDesk; // see desk_offline.js
let started = false;

const panel = () => document.querySelector("#desk-panel");
const openMember = () => form.elements.member.value;

function keep() {
  sessionStorage.setItem(STORE, JSON.stringify({ queue, held, question }));
}

// --- the queue ---

function enqueue(job) {
  queue.push({ ...job, at: Date.now(), answers: held ? question : 0 });
  claimFirst();
  keep();
  if (!waiting.hidden) showWaiting(reason);
  sendNext();
}

// From now on the first scan is for the member who is open, whoever comes next.
function claimFirst() {
  if (queue.length && held !== "card") queue[0].member ??= openMember();
}

async function sendNext() {
  if (!started || offline?.isActive()) return;
  const job = held ? queue.find((waits) => waits.answers === question) : queue[0];
  if (sending || !job) return;
  sending = true;
  const slow = setTimeout(() => showWaiting("sending"), SHOW_WAITING_MS);
  const answer = await send(job);
  clearTimeout(slow);
  sending = false;
  if (answer.trouble) return troubled(answer.trouble, job);
  show(answer.panel);
  learnCode(job);
  const waitsForCard = held === "card" && panel().hasAttribute("data-asks-card");
  if (waitsForCard) job.answers = 0;
  else remove(job);
  settle(job);
  showWaiting(held);
  sendNext();
}

// Whether the queue may go on, now that the page shows what it shows.
function settle(job) {
  const asks = panel().dataset.hold ?? "";
  if (asks && held !== "card") question += 1;
  const stays = job?.ends ? held && queue.length : false;
  if (asks === "card" || (held === "card" && !openMember() && !stays)) {
    held = "card";
  } else {
    held = asks;
    claimFirst();
    const another = queue.length && queue[0].member !== openMember();
    if (stays || (another && !asks)) held = "member";
  }
  keep();
}

function remove(job) {
  queue = queue.filter((other) => other !== job);
  keep();
}

function body(job) {
  const fields = new FormData(form);
  for (const [name, value] of job.fields) fields.set(name, value);
  if (job.nonce) fields.set("nonce", job.nonce);
  fields.set("waited", Math.max(0, Math.round((Date.now() - job.at) / 1000)));
  return new URLSearchParams(fields);
}

function request(job) {
  const options = job.method === "get" ? {} : { method: "POST", body: body(job) };
  return fetch(job.url, { ...options, headers: { "HX-Request": "true" } });
}

async function send(job) {
  try {
    let response = await request(job);
    if (response.status === 403 && (await takeFreshToken())) response = await request(job);
    if (response.status >= 500) return { trouble: "offline" };
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = page.querySelector("#desk-panel");
    return fresh ? { panel: fresh } : { trouble: response.status === 404 ? "gone" : "signedOut" };
  } catch {
    return { trouble: "offline" };
  }
}

// Signing in again, in another tab perhaps, makes the token of this page's form worthless.
async function takeFreshToken() {
  const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
  const fresh = page.querySelector("#desk-form [name=csrfmiddlewaretoken]");
  if (fresh) form.elements.csrfmiddlewaretoken.value = fresh.value;
  return Boolean(fresh);
}

function troubled(trouble, job) {
  if (trouble === "gone") {
    // What the button was about exists no longer; the page as it is now says what does.
    remove(job);
    location.reload();
    return;
  }
  if (trouble === "signedOut" && queue.every((waits) => waits.ends)) {
    // Nobody is left open and nothing waits: the empty desk asks to sign in.
    queue = [];
    keep();
    location.assign(new URL("..", form.action));
    return;
  }
  if (trouble === "offline" && offline) {
    goOffline();
    return;
  }
  showWaiting(trouble);
  if (trouble === "offline") setTimeout(sendNext, TRY_AGAIN_MS);
}

// --- without network ---

// What would be sent now is kept on the disk. What is held stays here: a person decides about it.
async function goOffline() {
  const going = held ? queue.filter((job) => job.answers === question) : queue.slice();
  const place = { member: Number(going[0]?.member ?? openMember()) || null, unclear: held === "card" };
  place.event = Number(form.elements.event?.value) || null;
  const pressed = going.filter((job) => !job.nonce && !job.ends);
  const scans = going.filter((job) => job.nonce || job.ends);
  showWaiting("");
  await offline.begin(place, scans.map((job) => ({ code: job.ends ? "" : job.shown, nonce: job.nonce, at: job.at })));
  queue = queue.filter((job) => !going.includes(job));
  keep();
  if (pressed.length) offline.notPressed(pressed.map((job) => job.shown).join(", "));
  showWaiting(held);
}

// The library has had every scan: the page as it is after the last of them.
if (offline) {
  offline.onSent = ({ member, event }) => {
    const url = new URL("..", form.action);
    for (const [name, value] of Object.entries({ member, event })) if (value) url.searchParams.set(name, value);
    queue.unshift({ url: url.href, method: "get", fields: [], shown: "", at: Date.now(), answers: held ? question : 0 });
    sendNext();
  };
}

// What a code turned out to be, for the list of those that are kept without network.
function learnCode(job) {
  if (!offline || !job.nonce || panel().dataset.tone !== "ok") return;
  if (form.elements.event.value) offline.learn(job.shown, "box");
  else if (openMember()) offline.learn(job.shown, "card");
}

// --- what is seen and heard ---

function show(fresh) {
  if (fresh.dataset.go) {
    location.assign(fresh.dataset.go);
    return;
  }
  panel().replaceWith(document.adoptNode(fresh));
  sound(panel().dataset.tone);
  history.replaceState(null, "", panel().dataset.url);
  say.textContent = panel().querySelector("[data-say]")?.textContent.replace(/\s+/g, " ").trim() ?? "";
  box.focus();
  document.body.dispatchEvent(new Event("desk-answered"));
}

// Told apart with the eyes on the box in the hand: one high note, two middle ones, one long low one.
const NOTES = {
  ok: [[988, 0, 0.09]],
  ask: [[659, 0, 0.12], [659, 0.18, 0.12]],
  stop: [[185, 0, 0.4]],
};
const soundSwitch = document.querySelector("#desk-sound");
const SOUND = "desk-sound";
let audio;

function sound(tone) {
  if (soundSwitch.getAttribute("aria-pressed") !== "true") return;
  audio ??= new AudioContext();
  document.documentElement.dataset.sounded = tone;
  for (const [pitch, after, lasting] of NOTES[tone] ?? []) {
    const note = new OscillatorNode(audio, { frequency: pitch, type: tone === "stop" ? "square" : "sine" });
    note.connect(new GainNode(audio, { gain: 0.2 })).connect(audio.destination);
    note.start(audio.currentTime + after);
    note.stop(audio.currentTime + after + lasting);
  }
}

function switchSound(on) {
  soundSwitch.setAttribute("aria-pressed", on);
  soundSwitch.textContent = on ? soundSwitch.dataset.on : soundSwitch.dataset.off;
  localStorage.setItem(SOUND, on);
}

soundSwitch.hidden = false;
switchSound(localStorage.getItem(SOUND) !== "false");
soundSwitch.addEventListener("click", () => switchSound(soundSwitch.getAttribute("aria-pressed") !== "true"));

function showWaiting(why) {
  reason = why;
  waiting.hidden = !why || queue.length === 0;
  waiting.querySelector("[data-why]").textContent = why ? waiting.dataset[why] : "";
  waiting.querySelector("[data-scans]").replaceChildren(
    ...queue.map((job) => Object.assign(document.createElement("li"), { textContent: job.shown })),
  );
  signIn.hidden = why !== "signedOut";
  signIn.search = new URLSearchParams({ next: location.pathname + location.search });
  const name = document.querySelector("#member")?.textContent;
  goOn.hidden = !(why === "answer" || (why === "member" && name));
  goOn.textContent = name ? goOn.dataset.withMember.replace("{member}", name) : goOn.dataset.withNobody;
}

waiting.querySelector("[data-drop]").addEventListener("click", () => {
  queue = [];
  held = panel().dataset.hold ?? "";
  keep();
  showWaiting("");
  box.focus();
});

goOn.addEventListener("click", () => {
  held = "";
  delete queue[0].member;
  claimFirst();
  keep();
  showWaiting("sending");
  box.focus();
  sendNext();
});

// --- keys, clicks, forms ---

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (offline?.isActive()) {
    offline.enter();
    return;
  }
  const code = box.value.trim();
  const sinceEnter = performance.now() - enteredAt;
  enteredAt = performance.now();
  box.value = "";
  if (isDone(code)) endWithMember();
  else if (code) enqueue({ url: form.action, fields: [["scan", code]], nonce: newNonce(), shown: code });
  else if (sinceEnter > DOUBLE_ENTER_MS) sayYesOrEnd();
});

// The command "done" as a scanner types it, whatever keyboard it is set to (see commands.py).
function isDone(code) {
  return code.replace(/[^a-z]/gi, "").toUpperCase() === "LDTDONE";
}

// Enter alone answers a question that is shown; where nothing is asked it ends with the member.
function sayYesOrEnd() {
  const yes = panel().querySelector("form[data-yes] button");
  if (yes) yes.click();
  else endWithMember();
}

// The card is put away; scans that are held stay held, for they were not meant for nobody.
function endWithMember() {
  if (offline?.isActive()) {
    offline.endWithCard();
    return;
  }
  const state = ["scan", "member", "event", "aside", "term", "drop", "badge", "loan"];
  const fields = state.map((name) => [name, ""]);
  enqueue({ url: form.action, fields, shown: "Esc", ends: true });
}

// The buttons of the panel take their turn in the queue like scans.
document.addEventListener("submit", (event) => {
  if (event.target === form || !panel().contains(event.target)) return;
  event.preventDefault();
  const fields = new FormData(event.target, event.submitter);
  const action = event.submitter?.hasAttribute("formaction") ? event.submitter.formAction : event.target.action;
  const shown = event.submitter?.textContent.trim() ?? "";
  if (event.target.method === "get") {
    enqueue({ url: `${action}?${new URLSearchParams(fields)}`, method: "get", fields: [], shown });
    return;
  }
  if (!fields.has("scan")) fields.set("scan", "");
  const kept = [...fields].filter(([name]) => name !== "csrfmiddlewaretoken");
  enqueue({ url: action, fields: kept, shown });
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-go-on]");
  if (link) {
    event.preventDefault();
    enqueue({ url: link.href, method: "get", fields: [], shown: link.textContent.trim() });
  }
  if (!event.target.closest("input, select, textarea, summary, a, .menu")) box.focus();
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !document.querySelector("details.menu[open]")) {
    box.value = "";
    endWithMember();
    return;
  }
  const typing = event.target.closest("input, select, textarea");
  // A scanner aimed at a field of words must not send it off: Enter goes to the button only.
  if (event.key === "Enter" && ["reason", "title", "note"].includes(typing?.name)) {
    event.preventDefault();
    typing.form.querySelector("button").focus();
  }
  const isText = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (isText && !typing) box.focus();
});

async function start() {
  // An Esc that comes back with nothing behind it would close the card that this page has just shown.
  while (queue.at(-1)?.ends) queue.pop();
  if (!held) settle();
  showWaiting(held || "sending");
  box.focus();
  await offline?.ready;
  started = true;
  if (offline?.isActive()) await keepAfterThose();
  sendNext();
}

// Scans of this window wait on the disk: none that was made after them may overtake them.
async function keepAfterThose() {
  if (held) return;
  for (const job of queue.filter((waits) => waits.nonce)) await offline.keepsScan({ code: job.shown, nonce: job.nonce, at: job.at });
  queue = [];
  keep();
  showWaiting("");
}

window.addEventListener("online", sendNext);
window.addEventListener("focus", sendNext); // back from signing in, in another tab
start();
