// Finds passages in the offline files of games ("bundles"), without network: in such a file itself, and in the
// kept ones while the library cannot be reached. Plain functions on a document; nothing is sent anywhere.
//
// A word of a text and a word of a question meet when they are the same without accents, when the file says that
// they are forms of one word (`families`) or stand for one concept (`phrases`), or else by their beginning or
// with a slip of the thumb.
"use strict";

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const LIGATURES = { œ: "oe", æ: "ae", ø: "o", ß: "ss", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" };
const LONGEST_PHRASE = 5;
const BLOCKS = "p, li, tr, blockquote";
const SHOWN = 8;
const PASSAGE_WORDS = 110;
const SAME = 1, CONCEPT = 0.8, BEGINS = 0.6, SLIP = 0.5, NEAR_CONCEPT = 0.4;

function folded(text) {
  const lowered = text.normalize("NFKC").toLowerCase().replace(/[œæøßłđðþı]/g, (letter) => LIGATURES[letter]);
  return lowered.normalize("NFD").replace(/\p{M}/gu, "");
}

function wordsOf(text) {
  return [...text.matchAll(WORD)].map((found) => ({ word: folded(found[0]), start: found.index, end: found.index + found[0].length }));
}

// --- reading a file ----------------------------------------------------------------------------------------

// The sections of a bundle with their words, ready to be searched.
function readBundle(page) {
  const data = JSON.parse(page.getElementById("words").textContent);
  const languages = new Map();
  const speak = (tag) => {
    const language = tag.split("-")[0];
    if (!languages.has(language)) languages.set(language, readLanguage(data, language));
    return languages.get(language);
  };
  for (const language of Object.keys(data.stop)) speak(language);
  const sections = [...page.querySelectorAll("article[data-text]")].flatMap((article) => sectionsOf(article, page, speak(article.lang)));
  return { title: page.querySelector("h1").textContent, languages, sections };
}

function readLanguage(data, language) {
  const families = new Map();
  (data.families[language] ?? []).forEach((line, number) => {
    for (const word of line.split(" ")) families.set(word, [...(families.get(word) ?? []), `#${number}`]);
  });
  return {
    language,
    families,
    stop: new Set(data.stop[language] ?? []),
    questions: data.questions[language] ?? [],
    phrases: new Map(Object.entries(data.phrases[language] ?? {})),
    words: new Set(families.keys()),
  };
}

// A heading with what stands below it up to the next one; text before the first heading is a section as well.
function sectionsOf(article, page, speech) {
  const sections = [];
  let section = { id: article.dataset.text, heading: "", blocks: [] };
  const textName = page.getElementById(article.dataset.text).textContent;
  const close = () => {
    if (section.heading || section.blocks.length) sections.push(counted({ ...section, speech, lang: article.lang, textName }));
  };
  for (const element of article.children) {
    if (/^H[1-6]$/.test(element.tagName)) {
      close();
      section = { id: element.id, heading: element.textContent, blocks: [] };
    } else {
      section.blocks.push(element);
    }
  }
  close();
  return sections;
}

function counted(section) {
  const { speech } = section;
  const count = (text) => {
    const words = wordsOf(text);
    for (const { word } of words) speech.words.add(word);
    return { keys: keysOf(words, speech), size: words.length };
  };
  const heading = count(section.heading);
  const body = count(section.blocks.map((block) => block.textContent).join("\n"));
  return { ...section, headingKeys: heading.keys, keys: body.keys, size: body.size + heading.size };
}

// Key -> how often. The keys of a word: itself, its families, the concepts of the phrases that it begins.
function keysOf(words, speech) {
  const keys = new Map();
  const add = (key) => keys.set(key, (keys.get(key) ?? 0) + 1);
  words.forEach(({ word }, at) => {
    for (const key of wordKeys(word, speech)) add(key);
    for (const concept of conceptsAt(words, at, speech).concepts) add(concept);
  });
  return keys;
}

function wordKeys(word, speech) {
  return [word, ...(speech.families.get(word) ?? [])];
}

// The longest phrase that begins at a word, and its concepts (as negative numbers apart from words: `@7`).
function conceptsAt(words, at, speech) {
  for (let length = Math.min(LONGEST_PHRASE, words.length - at); length > 0; length--) {
    const phrase = words.slice(at, at + length).map(({ word }) => word).join(" ");
    const found = speech.phrases.get(phrase);
    if (found) return { length, concepts: found.map((number) => `@${number}`) };
  }
  return { length: 1, concepts: [] };
}

// --- reading a question ------------------------------------------------------------------------------------

// What is asked: for each word that says something, the keys that answer it with their weights, by language.
function readQuestion(text, bundle) {
  const every = wordsOf(text.slice(0, 400));
  const spoken = languagesOf(every, bundle);
  const words = withoutOpening(every, spoken);
  const asked = [];
  for (let at = 0; at < words.length; ) {
    const found = [...spoken].map((speech) => conceptsAt(words, at, speech));
    const length = Math.max(1, ...found.filter(({ concepts }) => concepts.length).map((each) => each.length));
    const concepts = found.filter((each) => each.length === length).flatMap((each) => each.concepts);
    const part = words.slice(at, at + length).map(({ word }) => word);
    const isLast = at + length >= words.length;
    const says = part.filter((word) => saysSomething(word, spoken));
    if (says.length || concepts.length) {
      const near = concepts.length ? [] : says.flatMap((word) => [...spoken].flatMap((speech) => nearConcepts(word, speech)));
      asked.push({ words: says.length ? says : part, concepts, near, isLast });
    }
    at += length;
  }
  const whole = every.map(({ word }) => ({ words: [word], concepts: [], near: [], isLast: true }));
  return { asked: asked.length ? asked : whole, spoken };
}

// The question without "what happens if": no rule says it.
function withoutOpening(words, spoken) {
  const text = words.map(({ word }) => word).join(" ");
  for (const { questions } of spoken) {
    const opening = questions.find((phrase) => text.startsWith(`${phrase} `));
    if (opening) return words.slice(opening.split(" ").length);
  }
  return words;
}

function saysSomething(word, spoken) {
  return (word.length > 1 || /\d/.test(word)) && ![...spoken].some((speech) => speech.stop.has(word));
}

// Concepts of the glossary's words that an unknown word is a form of: "eindigt" of "eindigen".
function nearConcepts(word, speech) {
  if (speech.words.has(word)) return [];
  const near = [...speech.phrases].filter(([phrase]) => !phrase.includes(" ") && likeness(word, phrase, { isKnown: false }) === BEGINS);
  return near.flatMap(([, numbers]) => numbers.map((number) => `@${number}`));
}

// The languages in which most words of the question are known: little words tell them best.
function languagesOf(words, bundle) {
  const speeches = [...bundle.languages.values()];
  const known = speeches.map((speech) => words.filter(({ word }) => speech.stop.has(word) || speech.words.has(word) || speech.phrases.has(word)).length);
  const most = Math.max(...known);
  return new Set(speeches.filter((_, index) => known[index] === most));
}

// Key -> weight for one asked part in one language of the texts.
function answersTo(part, speech, isSpoken) {
  const keys = new Map();
  const add = (key, weight) => keys.set(key, Math.max(weight, keys.get(key) ?? 0));
  for (const concept of part.concepts) add(concept, CONCEPT);
  for (const concept of part.near) add(concept, NEAR_CONCEPT);
  for (const word of part.words) {
    const isKnown = speech.words.has(word);
    if (isKnown) for (const key of wordKeys(word, speech)) add(key, SAME);
    if (!isSpoken || (isKnown && !part.isLast)) continue;
    for (const other of speech.words) {
      const weight = likeness(word, other, { isKnown });
      if (weight) for (const key of wordKeys(other, speech)) add(key, weight);
    }
  }
  return keys;
}

// How near two folded words are that are not the same: one begins the other, both have one stem, one slip.
function likeness(word, other, { isKnown }) {
  if (word.length >= 3 && other.startsWith(word)) return BEGINS;
  if (isKnown || /\d/.test(word)) return 0;
  const begin = sharedStart(word, other);
  const longest = Math.max(word.length, other.length);
  if (begin >= 4 && begin >= 0.6 * longest && longest - begin <= 3) return BEGINS;
  const allowed = word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0;
  return allowed && slips(word, other, allowed) <= allowed ? SLIP : 0;
}

function sharedStart(one, other) {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

// Edits between two words, two letters changing places counting as one; more than `most` is told as more.
function slips(one, other, most) {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let [before, row] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const swap = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1] ? before[j - 2] + 1 : Infinity;
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (one[i - 1] !== other[j - 1]), swap);
    }
    [before, row] = [row, next];
  }
  return row[other.length];
}

// --- ranking -----------------------------------------------------------------------------------------------

// The sections that answer best: {section, keys} with the keys to be marked in it.
function findIn(bundle, text) {
  const { asked, spoken } = readQuestion(text, bundle);
  if (!asked.length) return [];
  const answers = new Map([...bundle.languages.values()].map((speech) => [speech, asked.map((part) => answersTo(part, speech, spoken.has(speech)))]));
  const holds = (section, keys) => [...keys.keys()].some((key) => section.keys.has(key) || section.headingKeys.has(key));
  const rarity = asked.map((_, index) => {
    const having = bundle.sections.filter((section) => holds(section, answers.get(section.speech)[index])).length;
    return Math.log(1 + bundle.sections.length / (having + 0.5));
  });
  const scored = bundle.sections.map((section) => scoreOf(section, answers.get(section.speech), rarity, spoken.has(section.speech)));
  return scored.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score).slice(0, SHOWN);
}

function scoreOf(section, answers, rarity, isOwnLanguage) {
  let [sum, met] = [0, 0];
  const keys = new Set();
  answers.forEach((weights, index) => {
    let best = 0;
    for (const [key, weight] of weights) {
      const times = section.keys.get(key) ?? 0;
      if (!times && !section.headingKeys.has(key)) continue;
      const length = 0.6 + 0.4 * (section.size / 90);
      best = Math.max(best, weight * (times / (times + length) + (section.headingKeys.has(key) ? 0.9 : 0)));
      keys.add(key);
    }
    if (best) met += rarity[index];
    sum += best * rarity[index];
  });
  const all = rarity.reduce((total, each) => total + each, 0);
  return { section, keys, score: sum * (met / all) ** 1.5 * (isOwnLanguage ? 1.3 : 1) };
}

// --- showing -----------------------------------------------------------------------------------------------

// A found section as an element: its heading as a link, its best blocks word for word, the met words marked.
function cardOf({ section, keys }, { page, href, where }) {
  const card = page.createElement("article");
  card.className = "hit";
  const title = card.appendChild(page.createElement("h3"));
  const link = title.appendChild(page.createElement("a"));
  link.href = href;
  link.lang = section.lang;
  link.textContent = section.heading || section.textName;
  const from = card.appendChild(page.createElement("p"));
  from.className = "quiet";
  from.textContent = where;
  const quote = card.appendChild(page.createElement("blockquote"));
  quote.lang = section.lang;
  for (const block of bestBlocks(section, keys)) quote.append(page.importNode(block, true));
  for (const element of quote.querySelectorAll("[id]")) element.removeAttribute("id");
  marked(card, keys, section.speech);
  return card;
}

// The section whole where it is short, else the run of its blocks that holds the most of what was asked.
function bestBlocks(section, keys) {
  const sizes = section.blocks.map((block) => wordsOf(block.textContent).length);
  if (sizes.reduce((sum, size) => sum + size, 0) <= PASSAGE_WORDS * 1.5) return section.blocks;
  const gains = section.blocks.map((block) => [...keysOf(wordsOf(block.textContent), section.speech).keys()].filter((key) => keys.has(key)).length);
  let best = { gain: -1, from: 0, to: 1 };
  section.blocks.forEach((_, from) => {
    let [size, gain, to] = [0, 0, from];
    while (to < sizes.length && (to === from || size + sizes[to] <= PASSAGE_WORDS)) {
      size += sizes[to];
      gain += gains[to++];
    }
    if (gain > best.gain) best = { gain, from, to };
  });
  return section.blocks.slice(best.from, best.to);
}

function marked(root, keys, speech) {
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  for (const node of nodes) {
    if (!node.parentElement.closest(".quiet")) markIn(node, keys, speech);
  }
}

function markIn(node, keys, speech) {
  const text = node.textContent;
  const words = wordsOf(text);
  const pieces = [];
  let done = 0;
  for (let at = 0; at < words.length; ) {
    const phrase = conceptsAt(words, at, speech);
    const isConcept = phrase.concepts.some((key) => keys.has(key));
    const isWord = wordKeys(words[at].word, speech).some((key) => keys.has(key));
    const length = isConcept ? phrase.length : 1;
    if (isConcept || isWord) {
      const mark = node.ownerDocument.createElement("mark");
      mark.textContent = text.slice(words[at].start, words[at + length - 1].end);
      pieces.push(text.slice(done, words[at].start), mark);
      done = words[at + length - 1].end;
    }
    at += length;
  }
  if (pieces.length) node.replaceWith(...pieces, text.slice(done));
}
