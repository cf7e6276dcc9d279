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

// --- suggestions as you type ------------------------------------------------------------------------------------
// A combobox (ARIA 1.2) made of the search box; its options are links. Enter with no option chosen by the arrow
// keys asks what was typed, as without scripts.

const PAUSE_MS = 90;
const SHORTEST = 2;

class Suggestions {
  constructor(input, number) {
    this.input = input;
    this.form = input.form;
    this.list = document.createElement("div");
    this.list.id = `suggestions-${number}`;
    this.list.className = "suggestions";
    this.list.hidden = true;
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", input.labels[0].textContent);
    this.said = document.createElement("p");
    this.said.className = "visually-hidden";
    this.said.setAttribute("aria-live", "polite");
    input.closest(".search-box").append(this.list, this.said);
    for (const [name, value] of Object.entries({
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-controls": this.list.id,
      "aria-expanded": "false",
    })) {
      input.setAttribute(name, value);
    }
    input.addEventListener("input", () => this.ask(PAUSE_MS));
    input.addEventListener("keydown", (event) => this.onKey(event));
    input.addEventListener("blur", () => this.close());
    this.form.addEventListener("submit", () => this.close());
    // The box keeps the focus while an option is pressed, so that the list stays until the click.
    this.list.addEventListener("mousedown", (event) => event.preventDefault());
    this.list.addEventListener("click", (event) => this.onClick(event));
  }

  get options() {
    return [...this.list.querySelectorAll("[role=option]")];
  }

  // Only the last question counts: one still under way is given up.
  ask(pause) {
    this.giveUp();
    const typed = this.input.value.trim();
    if (typed.length < SHORTEST) return this.close();
    this.timer = setTimeout(() => this.fetch(typed), pause);
  }

  giveUp() {
    clearTimeout(this.timer);
    this.request?.abort();
  }

  async fetch(typed) {
    const request = (this.request = new AbortController());
    const asked = new URLSearchParams({ q: typed });
    const within = this.form.elements.game?.value;
    if (within) asked.set("game", within);
    try {
      const answer = await fetch(`${this.input.dataset.suggestions}?${asked}`, { signal: request.signal });
      const words = answer.ok ? await answer.text() : "";
      if (!request.signal.aborted) this.show(words);
    } catch {
      // Given up, or offline: the box goes on working as any other.
      if (!request.signal.aborted) this.close();
    }
  }

  show(html) {
    this.list.innerHTML = html;
    this.options.forEach((option, i) => {
      option.id = `${this.list.id}-${i}`;
    });
    this.choose(-1);
    this.list.scrollTop = 0;
    const any = this.options.length > 0;
    this.list.hidden = !any;
    this.input.setAttribute("aria-expanded", String(any));
    this.said.textContent = this.list.querySelector("p")?.textContent ?? "";
  }

  close() {
    this.giveUp();
    this.show("");
  }

  choose(place) {
    this.chosen = place;
    this.options.forEach((option, i) => option.setAttribute("aria-selected", String(i === place)));
    const option = this.options[place];
    if (option) {
      this.input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else {
      this.input.removeAttribute("aria-activedescendant");
    }
  }

  onKey(event) {
    if (event.isComposing || event.ctrlKey || event.metaKey) return;
    if (this.list.hidden) {
      if (event.key === "ArrowDown") this.ask(0);
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      // One place more than there are options: before the first and behind the last stands the box itself.
      const places = this.options.length + 1;
      this.choose(((this.chosen + 1 + step + places) % places) - 1);
    } else if (event.key === "Escape") {
      this.close();
    } else if (event.key === "Enter" && this.chosen >= 0) {
      this.options[this.chosen].click();
    } else {
      return;
    }
    event.preventDefault();
  }

  // A term is asked with whatever else the form says; every other option is a link like any.
  onClick(event) {
    const option = event.target.closest("[data-asks]");
    if (!option || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.input.value = option.dataset.asks;
    this.form.requestSubmit();
  }
}

document.querySelectorAll("input[data-suggestions]").forEach((input, number) => new Suggestions(input, number));
