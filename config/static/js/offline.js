// The page for the time without network: lists the games that this browser keeps, and asks their rules.
"use strict";

const list = document.getElementById("kept");
const template = document.getElementById("kept-game");
const asked = new URLSearchParams(location.search).get("q")?.trim() ?? "";

// The kept offline files, latest first: {path, page, bundle}.
async function keptGames() {
  const found = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const path = new URL(request.url).pathname;
      if (!/^\/games\/\d+\/rules\.html$/.test(path)) continue;
      const page = new DOMParser().parseFromString(await (await cache.match(request)).text(), "text/html");
      found.push({ path, page, bundle: readBundle(page) });
    }
  }
  return found.reverse();
}

function lineOf({ path, bundle }) {
  const line = template.content.cloneNode(true);
  const link = line.querySelector("a");
  link.href = path;
  link.append(bundle.title);
  return line;
}

function answer(games) {
  const told = document.getElementById("told");
  const hits = games.flatMap((game) => findIn(game.bundle, asked).map((hit) => ({ game, hit })));
  hits.sort((one, other) => other.hit.score - one.hit.score);
  const cards = hits.slice(0, 10).map(({ game, hit }) =>
    cardOf(hit, { page: document, href: `${game.path}#${hit.section.id}`, where: `${game.bundle.title} · ${hit.section.textName}` }));
  document.getElementById("hits").replaceChildren(...cards.map(asPassage));
  document.getElementById("found").hidden = false;
  document.getElementById("offline-q").value = asked;
  told.textContent = hits.length ? "" : told.dataset.none;
}

// The card in the dress of the site.
function asPassage(card) {
  card.className = "passage";
  card.querySelector("h3").className = "passage__title";
  card.querySelector("blockquote").className = "prose passage__text";
  return card;
}

keptGames().then((games) => {
  list.replaceChildren(...games.map(lineOf));
  document.getElementById("kept-none").hidden = games.length > 0;
  document.getElementById("kept-some").hidden = games.length === 0;
  if (asked && games.length) answer(games);
});
document.getElementById("again").addEventListener("click", () => location.reload());
