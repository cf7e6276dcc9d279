// The search box of an offline file: answers while one types, keeps the question in the address (`#q=`), so that
// the way back from a passage leads to the answers again.
"use strict";

const bundle = readBundle(document);
const form = document.getElementById("ask");
const box = document.getElementById("q");

function answer() {
  const asked = box.value.trim();
  const hits = asked.length < 2 ? [] : findIn(bundle, asked);
  const section = document.getElementById("found");
  const told = document.getElementById("told");
  section.hidden = asked.length < 2;
  told.textContent = hits.length ? "" : told.dataset.none;
  const cards = hits.map((hit) => cardOf(hit, { page: document, href: `#${hit.section.id}`, where: hit.section.textName }));
  document.getElementById("hits").replaceChildren(...cards);
}

function remember() {
  history.replaceState(null, "", `#${new URLSearchParams({ q: box.value.trim() })}`);
}

form.hidden = false;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  answer();
  remember();
  document.querySelector("#hits a")?.focus();
});
box.addEventListener("input", answer);
document.getElementById("hits").addEventListener("click", (event) => {
  if (event.target.closest("a")) remember();
});

function fromAddress() {
  const asked = new URLSearchParams(location.hash.slice(1)).get("q");
  if (asked === null) return;
  box.value = asked;
  answer();
}
addEventListener("hashchange", fromAddress);
fromAddress();
