// Small comforts of every page; each page works without them.
// A menu closes by Escape and when the focus or a click goes elsewhere. Who changes the language, of the pages
// or of the rules, goes on reading at the same place.
"use strict";

function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(except)) menu.open = false;
  }
}

document.addEventListener("click", (event) => closeMenus(event.target));
document.addEventListener("focusin", (event) => closeMenus(event.target));
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && document.querySelector("details.menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// Only the browser knows the place in the page: it goes with the address to which the server returns.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if ("keepsPlace" in form.dataset) form.elements.next.value = form.elements.next.value.split("#")[0] + location.hash;
});

// The number of the section being read among the contents, -1 above the first: the one that the address names
// while its heading is in sight (a short last section never reaches the top), else the last one begun.
function sectionInSight() {
  const links = [...document.querySelectorAll(".contents__list a")];
  const tops = links.map((link) => document.getElementById(link.hash.slice(1))?.getBoundingClientRect().top);
  const named = links.findIndex((link) => link.hash === location.hash);
  if (named >= 0 && tops[named] >= 0 && tops[named] < innerHeight) return named;
  return tops.findLastIndex((top) => top < innerHeight / 3);
}

for (const chip of document.querySelectorAll("a[data-anchors]")) {
  const lead = () => {
    chip.hash = chip.dataset.anchors.split(" ")[sectionInSight()] ?? "";
  };
  for (const sign of ["pointerdown", "focus", "click"]) chip.addEventListener(sign, lead);
}
