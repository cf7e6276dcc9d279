// The desk without network. A scan is on the disk (see desk_store.js) before it leaves the box, and stands in the
// list below it, under the card scanned before; what it means, the library says when it answers again. Then the
// scans are sent in their order by one window alone, each with its own name (nonce), so that none is done twice; one
// that was refused stays in the library's list of kept scans until somebody has ticked it off.
//
// The same script serves the desk's page, which desk.js hands over to it when the library does not answer, and the
// page that the device keeps, which only collects and makes way for the desk's as soon as that can be had.
"use strict";

// In a block: scripts of the pages share one scope for their names.
{
  const section = document.querySelector("#desk-offline");
  const form = document.querySelector("#desk-form");
  const box = form.elements.scan;
  const words = section.dataset;
  const isKept = "isKept" in words;
  const AGAIN_MS = 2000;
  const DOUBLE_ENTER_MS = 700;
  const WINDOW = "desk-window";
  const GATEWAY = new Set([502, 503, 504]);

  // Two windows have two open cards: each scan says of which window it is.
  const desk = sessionStorage.getItem(WINDOW) ?? newNonce();
  sessionStorage.setItem(WINDOW, desk);

  let active = isKept; // whether this window keeps its scans
  let writing = 0; // scans on their way to the disk
  let kept = 0; // how many this page has put there
  let unwritten = ""; // what stands in the box because it is not on the disk yet
  let enteredAt = 0;
  let busy = false;
  let timer;
  let account = words.user ?? "";
  let shapes = {};

  // --- keeping ---

  // From now on scans are kept. `place`: where the desk stands, and `scans` what it could not send.
  async function begin(place, scans) {
    active = true;
    show(1);
    const written = [deskStore.remember(`place-${desk}`, place), ...scans.map(keep)];
    await Promise.all(written);
    await render();
    again();
  }

  async function keep({ code, nonce = newNonce(), at = Date.now() }) {
    writing += 1;
    kept += 1;
    try {
      await deskStore.add({ code, nonce, at, desk, by: account, kind: shapes[shapeOf(code)] ?? "" });
    } finally {
      writing -= 1;
    }
  }

  // Keys come faster than a disk writes: what stands in the box before them is cut off once it is safe.
  async function enter() {
    const typed = box.value.slice(unwritten.length);
    const sinceEnter = performance.now() - enteredAt;
    enteredAt = performance.now();
    if (!typed.trim() && sinceEnter <= DOUBLE_ENTER_MS) return;
    unwritten += typed;
    try {
      await obey(typed.trim());
      box.value = box.value.slice(typed.length);
    } catch {
      tell(words.notKept);
    }
    unwritten = unwritten.slice(typed.length);
    await render();
  }

  // The commands as a scanner types them, whatever keyboard it is set to (see commands.py).
  async function obey(code) {
    const [, command] = code.replace(/[^a-z]/gi, "").toUpperCase().match(/^LDT([A-Z]+)$/) ?? [];
    tell("");
    if (!code || command === "DONE") await endWithCard();
    else if (command === "UNDO") await removeLast();
    else if (command) tell(words.command);
    else {
      await keep({ code });
      globalThis.sound?.("ok");
    }
  }

  async function endWithCard() {
    const last = (await own()).at(-1);
    if (!last || last.code) await keep({ code: "" });
  }

  async function removeLast() {
    const last = (await own()).at(-1);
    if (last && !busy) await deskStore.remove(last.id);
  }

  const own = async () => (await deskStore.scans()).filter((scan) => scan.desk === desk);

  // --- what is a card ---

  // Only the library knows. The list guesses by the first two signs and the length of the codes that it has told
  // apart on this device, and a person may say otherwise; nothing but the list depends on it.
  function shapeOf(code) {
    return `${code.slice(0, 2)}${code.length}`;
  }

  function learn(code, kind) {
    if (shapes[shapeOf(code)] === kind) return;
    shapes[shapeOf(code)] = kind;
    deskStore.remember("shapes", shapes).catch(() => {});
  }

  async function say(scan, kind) {
    learn(scan.code, kind);
    await deskStore.change({ ...scan, kind });
    await render();
  }

  // --- the list ---

  async function render() {
    const scans = await deskStore.scans();
    show(scans.length);
    const visits = visitsOf(scans);
    section.querySelector("[data-none]").hidden = visits.length > 0;
    section.querySelector("[data-visits]").replaceChildren(...(await Promise.all(visits.map(visitLine))));
  }

  // Scans in their order, in groups: a card and what was scanned after it in the same window.
  function visitsOf(scans) {
    const visits = [];
    let current;
    for (const scan of scans) {
      const begins = scan.kind === "card" || !scan.code || current?.desk !== scan.desk;
      if (begins) {
        const before = visits.findLast((visit) => visit.desk === scan.desk);
        const goesOn = before && scan.kind !== "card" && scan.code;
        current = goesOn ? { desk: scan.desk, card: before.card, first: before.first, boxes: [] } : { desk: scan.desk, first: !before, boxes: [] };
        if (scan.kind === "card") current.card = scan;
        if (!scan.code) current.first = false;
        visits.push(current);
      }
      if (scan.code && scan.kind !== "card") current.boxes.push(scan);
    }
    return visits.filter((visit) => visit.card || visit.boxes.length);
  }

  async function visitLine({ desk: of, card, first, boxes }) {
    const line = section.querySelector("#visit").content.cloneNode(true);
    const place = (first && !card && (await deskStore.fact(`place-${of}`))) || {};
    line.querySelector("[data-title]").textContent = card ? "" : place.member ? words.openCard : words.noCard;
    line.querySelector("[data-card]").textContent = card?.code ?? "";
    if (card) line.querySelector("[data-card-buttons]").append(timeOf(card), ...buttonsOf(card));
    line.querySelector("[data-boxes]").append(...boxes.map(boxLine));
    return line;
  }

  function boxLine(scan) {
    const line = section.querySelector("#kept-scan").content.cloneNode(true);
    line.querySelector("[data-time]").replaceWith(timeOf(scan));
    line.querySelector("[data-code]").textContent = scan.code;
    line.querySelector("[data-buttons]").append(...buttonsOf(scan));
    return line;
  }

  function timeOf(scan) {
    const time = document.createElement("time");
    const at = new Date(scan.at);
    time.className = "journal__time";
    time.dateTime = at.toISOString();
    time.textContent = at.toLocaleTimeString(document.documentElement.lang, { timeStyle: "short" });
    return time;
  }

  function buttonsOf(scan) {
    const [kind, remove] = section.querySelector("#kept-buttons").content.cloneNode(true).children;
    kind.textContent = scan.kind === "card" ? words.isBox : words.isCard;
    kind.addEventListener("click", () => say(scan, scan.kind === "card" ? "box" : "card"));
    remove.ariaLabel = words.remove.replace("{code}", scan.code);
    remove.disabled = busy;
    remove.addEventListener("click", async () => {
      if (busy) return;
      await deskStore.remove(scan.id);
      await render();
      box.focus();
    });
    return [kind, remove];
  }

  // Scans of another window, or of somebody else, are shown while they wait, but keep nobody from going on.
  function show(waiting) {
    section.hidden = !active && waiting === 0;
    section.querySelector("h2").textContent = active ? words.offline : words.left;
    section.querySelector("[data-offline-only]").hidden = !active;
    const panel = document.querySelector("#desk-panel");
    if (panel) panel.hidden = active;
    if (!section.hidden) document.querySelector("#desk-sent")?.setAttribute("hidden", "");
  }

  function tell(text) {
    section.querySelector("[data-told]").textContent = text;
  }

  // Why the scans wait: waiting, sending, trouble, signedOut, whose.
  function state(why, by = "") {
    const text = why === "whose" && !by ? words.nobodys : words[why];
    section.querySelector("[data-state]").textContent = text.replaceAll("{by}", by);
    section.querySelector("[data-mine]").hidden = why !== "whose";
    const signIn = section.querySelector("[data-sign-in]");
    signIn.hidden = why !== "signedOut";
    signIn.search = new URLSearchParams({ next: words.desk });
  }

  // --- sending ---

  function again() {
    clearTimeout(timer);
    timer = setTimeout(goOn, 0);
  }

  async function goOn() {
    if (busy) return;
    busy = true;
    try {
      await (isKept ? makeWay() : deskStore.alone(sendAll));
    } catch {
      state("waiting");
    }
    busy = false;
    if (!isKept && active) await leave();
    await render();
    clearTimeout(timer);
    if (!section.hidden) timer = setTimeout(goOn, AGAIN_MS);
  }

  // The kept page goes once the library answers, but not from under a person who types.
  async function makeWay() {
    const answer = await fetch(words.desk, { method: "HEAD", redirect: "manual" });
    const isThere = answer.type === "opaqueredirect" || answer.status < 500;
    if (!isThere || box.value || writing) return;
    location.replace(location.pathname === words.desk ? location.href : words.desk);
  }

  async function sendAll(stillAlone) {
    for (;;) {
      await stillAlone();
      const [scan] = await deskStore.scans();
      if (!scan) return;
      if (scan.by !== account) {
        state("whose", scan.by);
        return;
      }
      const trouble = await send(scan);
      if (trouble) {
        state(trouble, scan.by);
        return;
      }
    }
  }

  // Sends one; what is in the way, or nothing.
  async function send(scan) {
    const place = (await deskStore.fact(`place-${scan.desk}`)) ?? {};
    const answer = await post(scan, place);
    if (answer.status === 409) {
      account = words.user = (await answer.json()).account;
      return scan.by === account ? "" : "whose";
    }
    if (answer.status === 403) return "signedOut";
    if (GATEWAY.has(answer.status)) return "waiting";
    if (!answer.ok) return "trouble";
    state("sending");
    const { became, member, unclear, event, list_length: count } = await answer.json();
    await deskStore.answered(scan, { member, unclear, event });
    if (became === "card" || became === "box") learn(scan.code, became);
    showCount(count);
    return "";
  }

  async function post(scan, { member = null, unclear = false, event = null }) {
    const request = () => {
      const waited = Math.max(0, Date.now() - scan.at) / 1000;
      const body = { nonce: scan.nonce, code: scan.code, waited, member, unclear, event, account };
      const headers = { "Content-Type": "application/json", "X-CSRFToken": form.elements.csrfmiddlewaretoken.value };
      return fetch(words.scans, { method: "POST", headers, body: JSON.stringify(body) });
    };
    const answer = await request();
    return answer.status === 403 && (await takeFreshToken()) ? request() : answer;
  }

  function showCount(count) {
    const notice = document.querySelector("#desk-kept");
    notice.hidden = count === 0;
    notice.querySelector("[data-count]").textContent = count;
  }

  // Back to the desk once nothing of this window waits: no scan may overtake one that was made before it.
  async function leave() {
    const before = kept;
    const place = (await deskStore.fact(`place-${desk}`)) ?? {};
    const waiting = await own();
    if (waiting.length || writing || kept !== before) return;
    active = false;
    offlineDesk.onSent(place);
    document.querySelector("#desk-sent").hidden = false;
    box.focus();
  }

  // --- beginning ---

  async function start() {
    shapes = (await deskStore.fact("shapes")) ?? {};
    if (isKept) account = (await deskStore.fact("account")) ?? "";
    else await deskStore.remember("account", account);
    active = isKept || (await own()).length > 0;
    state("waiting");
    await render();
    if (!section.hidden) again();
  }

  section.querySelector("[data-mine]").addEventListener("click", async () => {
    for (const scan of await deskStore.scans()) await deskStore.change({ ...scan, by: account });
    again();
  });
  for (const sign of ["online", "focus"]) addEventListener(sign, () => !section.hidden && again());

  globalThis.offlineDesk = {
    ready: start().catch(() => tell(words.notKept)),
    isActive: () => active,
    begin,
    enter,
    keepsScan: keep,
    learn,
    endWithCard: async () => {
      await endWithCard();
      await render();
    },
    notPressed: (what) => tell(words.notPressed.replace("{what}", what)),
    onSent: () => {},
  };

  if (isKept) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      enter();
    });
    document.addEventListener("keydown", (event) => {
      const typing = event.target.closest("input, select, textarea");
      if (event.key === "Escape") offlineDesk.endWithCard();
      else if (event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !typing) box.focus();
    });
    box.focus();
  }
}
