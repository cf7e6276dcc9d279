// What the desk keeps on this device while there is no network: scans (codes and times, the name of the account
// that made them, nothing about members) and where each window of the desk stands. IndexedDB, so that it outlives
// the window, the browser and the machine. Whoever signs out is asked first if some have not been sent, and
// leaves nothing behind.
"use strict";

// randomUUID exists on HTTPS only; a desk on the house's own network may be without.
function newNonce() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
}

const deskStore = (() => {
  const NAME = "desk";
  const LEASE_MS = 30_000;
  let opened;

  function database() {
    opened ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("scans", { keyPath: "id", autoIncrement: true });
        request.result.createObjectStore("facts");
      };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    return opened;
  }

  // Runs `work` in one transaction; resolves with its request's result once that is on the disk.
  async function transact(work) {
    const change = (await database()).transaction(["scans", "facts"], "readwrite", { durability: "strict" });
    return new Promise((resolve, reject) => {
      const request = work(change.objectStore("scans"), change.objectStore("facts"));
      change.oncomplete = () => resolve(request?.result);
      change.onerror = change.onabort = () => reject(change.error);
    });
  }

  const scans = () => transact((rows) => rows.getAll());
  const fact = (name) => transact((rows, facts) => facts.get(name));
  const remember = (name, value) => transact((rows, facts) => facts.put(value, name));

  // A scan that has been answered goes, and where its window stands now is written, both or neither.
  const answered = (scan, place) =>
    transact((rows, facts) => {
      rows.delete(scan.id);
      return facts.put(place, `place-${scan.desk}`);
    });

  const clear = () =>
    transact((rows, facts) => {
      rows.clear();
      return facts.clear();
    });

  // --- one window sends at a time ---

  // Web Locks exist on HTTPS only; on the house's own network a lease in the store does the same, and lapses when
  // its window was closed.
  async function alone(work) {
    if (navigator.locks) return navigator.locks.request("desk-scans", { ifAvailable: true }, (lock) => lock && work(() => {}));
    const me = Math.random();
    if (!(await lease(me))) return undefined;
    try {
      return await work(() => lease(me));
    } finally {
      await transact((rows, facts) => facts.delete("lease"));
    }
  }

  async function lease(me) {
    let mine = false;
    await transact((rows, facts) => {
      const request = facts.get("lease");
      request.onsuccess = () => {
        const held = request.result;
        mine = !held || held.by === me || held.until < Date.now();
        if (mine) facts.put({ by: me, until: Date.now() + LEASE_MS }, "lease");
      };
    });
    return mine;
  }

  return {
    scans,
    fact,
    remember,
    answered,
    clear,
    alone,
    add: (scan) => transact((rows) => rows.add(scan)),
    change: (scan) => transact((rows) => rows.put(scan)),
    remove: (id) => transact((rows) => rows.delete(id)),
  };
})();

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!("unsent" in form.dataset)) return;
  event.preventDefault();
  const { length } = await deskStore.scans().catch(() => []);
  if (length && !confirm(form.dataset.unsent.replace("{count}", length))) return;
  await deskStore.clear().catch(() => {});
  form.submit();
});
