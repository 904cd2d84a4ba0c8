// The script of a public form: it shows the questions that are asked after the answers given so far, as package form
// decides it on the server, and computes the proof of work (web/form_work.go).
"use strict";

const form = document.getElementById("answer");
const button = document.getElementById("send");
const back = document.getElementById("back"); // null on a form of one page, as place
const place = document.getElementById("place");
const pages = [...form.querySelectorAll(".page")]; // none likewise
const say = JSON.parse(form.dataset.say);
const progress = document.getElementById("progress");
const challenge = form.elements.namedItem("challenge");
const solution = form.elements.namedItem("solution");
const questions = [...form.querySelectorAll("[data-question]")];

/** A text with what its words in braces stand for. */
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

const controlsOf = (question) =>
  question.matches("input") ? [question] : [...question.querySelectorAll("input, select, textarea")];

/** The answer to a question as the texts that conditions compare; none if it is empty or not asked. */
function answerTo(id) {
  const found = questions.filter((one) => one.dataset.question === id); // several where the URL gives several values
  const texts = [];
  for (const control of found.flatMap(controlsOf)) {
    const box = control.type === "checkbox" || control.type === "radio";
    if (control.disabled || (box && !control.checked) || control.value === "") continue;
    texts.push(control.type === "number" ? String(Number(control.value)) : control.value.normalize("NFC"));
  }
  if (found[0]?.dataset.ask === "checkbox" && texts.length === 0) texts.push("false");
  return texts;
}

function holds({ of, op, values }) {
  if (of === "") return false;
  const answer = answerTo(of);
  const equal = answer.some((text) => (values ?? []).includes(text));
  const part = values?.[0]?.toLowerCase();
  const contains = part !== undefined && answer.some((text) => text.toLowerCase().includes(part));
  switch (op) {
    case "eq":
    case "has_any":
      return equal;
    case "neq":
    case "has_none":
      return !equal;
    case "contains":
      return contains;
    case "not_contains":
      return !contains;
    case "is_empty":
      return answer.length === 0;
    case "is_not_empty":
      return answer.length > 0;
  }
  return false;
}

function isAsked({ dataset: { when } }) {
  if (!when) return true;
  const { any, conditions } = JSON.parse(when);
  return any ? conditions.some(holds) : conditions.every(holds);
}

const pageOf = (question) => question.closest(".page");
const isShown = (question) => question.classList.contains("question") && !question.hidden;

/** Shows what is asked, in order, because a condition may be about a question that is no longer asked. */
function arrange() {
  let page = null;
  let open = true;
  for (const question of questions) {
    if (pageOf(question) !== page) {
      page = pageOf(question);
      open = page === null || isAsked(page);
    }
    const asked = "always" in question.dataset || (open && isAsked(question));
    question.hidden = !asked;
    for (const control of controlsOf(question)) control.disabled = !asked;
  }
  if (pages.length > 0) turn(current);
}

let current = pages[0];

/** The pages with something to answer, which are those that come after each other. */
const shownPages = () => pages.filter((page) => questions.some((one) => pageOf(one) === page && isShown(one)));

/** Shows one page. */
function turn(to) {
  const shown = shownPages();
  current = shown.includes(to) ? to : (shown[0] ?? pages[0]);
  const at = shown.indexOf(current);
  for (const page of pages) page.hidden = page !== current;
  back.hidden = at <= 0;
  button.textContent = isLast() ? button.dataset.label : say.next;
  place.textContent = shown.length > 1 ? fill(say.place, { page: at + 1, pages: shown.length }) : "";
}

function isLast() {
  return pages.length === 0 || current === (shownPages().at(-1) ?? current);
}

function step(by) {
  const shown = shownPages();
  const to = shown[shown.indexOf(current) + by];
  if (to === undefined) return;
  turn(to);
  to.focus({ preventScroll: true });
  document.querySelector("main").scrollIntoView();
}

/** Says what is wrong with the answers of some pages, and shows the page of the first that is. */
function isComplete(among) {
  for (const page of among) {
    const wrong = [...page.querySelectorAll("input, select, textarea")].find((one) => !one.checkValidity());
    if (wrong === undefined) continue;
    turn(page);
    wrong.reportValidity();
    return false;
  }
  return true;
}

const roundConstants = new Uint32Array(64);
const start = new Uint32Array(8);
// SHA-256's constants are the first 32 bits of the fractional parts of roots of the first primes.
for (let n = 2, found = 0; found < 64; n++) {
  let prime = true;
  for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false;
  if (!prime) continue;
  if (found < 8) start[found] = (Math.sqrt(n) % 1) * 2 ** 32;
  roundConstants[found++] = (Math.cbrt(n) % 1) * 2 ** 32;
}

const schedule = new Uint32Array(64);

/** The first 32 bits of SHA-256 of a text of at most 55 ASCII characters. */
function firstWord(text) {
  schedule.fill(0, 0, 16);
  for (let i = 0; i < text.length; i++) schedule[i >> 2] |= text.charCodeAt(i) << (24 - 8 * (i & 3));
  schedule[text.length >> 2] |= 0x80 << (24 - 8 * (text.length & 3));
  schedule[15] = text.length * 8;
  for (let i = 16; i < 64; i++) {
    const x = schedule[i - 15];
    const y = schedule[i - 2];
    const low = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const high = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    schedule[i] = (schedule[i - 16] + low + schedule[i - 7] + high) | 0;
  }
  let [a, b, c, d, e, f, g, h] = start;
  for (let i = 0; i < 64; i++) {
    const high = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const one = (h + high + ((e & f) ^ (~e & g)) + roundConstants[i] + schedule[i]) | 0;
    const low = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const two = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  return (a + start[0]) >>> 0;
}

const seed = challenge.value.slice(challenge.value.indexOf(".") + 1).slice(0, 22);
const bits = Number(form.dataset.bits);
const parts = Number(form.dataset.parts);
const numbers = [];
let next = 0;
let working = false;
let wanted = false; // the form was submitted, and waits for the solution

const maxFile = 20 * 2 ** 20;
const maxUploads = 20;
let uploads = 0; // begun with this challenge, also before the page came back with an error
let arriving = 0;
let solved = []; // what waits for the solution

const whenSolved = () =>
  new Promise((resolve) => {
    if (solution.value !== "") return resolve();
    solved.push(resolve);
    begin();
  });

/** Sends a file, and returns what stands for it in the answer. An upload number is used once. */
async function upload(question, file) {
  await whenSolved();
  for (; uploads < maxUploads; ) {
    const query = new URLSearchParams({
      question,
      name: file.name,
      number: String(uploads++),
      challenge: challenge.value,
      solution: solution.value,
    });
    const answer = new URLSearchParams(location.search).get("answer");
    if (answer !== null) query.set("answer", answer); // which is changed
    const response = await fetch(`${location.pathname}/files?${query}`, { method: "POST", body: file });
    const made = await response.json().catch(() => ({}));
    if (response.ok) return made;
    if (made.code !== "upload_used") throw new Error(made.errors?.[0]?.message ?? made.detail ?? say.notArrived);
  }
  throw new Error(say.manyUploads);
}

function addFile(list, question, { token, name, size }) {
  const item = document.createElement("li");
  const value = Object.assign(document.createElement("input"), { type: "hidden", name: question, value: token });
  const title = Object.assign(document.createElement("span"), { className: "name", textContent: name });
  const note = Object.assign(document.createElement("span"), { className: "size", textContent: size });
  const remove = Object.assign(document.createElement("button"), { className: "remove", type: "button" });
  remove.textContent = "×";
  remove.setAttribute("aria-label", fill(say.remove, { name }));
  item.append(value, title, note, remove);
  list.append(item);
}

for (const control of form.querySelectorAll("input[type=file]")) {
  const question = control.closest(".question");
  const list = question.querySelector(".files");
  const status = question.querySelector(".arriving");
  const max = Number(control.dataset.max);
  const refresh = () => {
    control.required = "required" in control.dataset && list.childElementCount === 0;
    arrange();
  };
  list.addEventListener("click", (event) => {
    const button = event.target.closest(".remove");
    if (!button) return;
    button.closest("li").remove();
    control.focus();
    refresh();
  });
  control.addEventListener("change", async () => {
    const files = [...control.files];
    control.value = "";
    control.required = false;
    if ("preview" in form.dataset) {
      status.textContent = say.preview;
      return;
    }
    const wrong = [];
    arriving++;
    for (const file of files) {
      status.textContent = fill(say.sending, { name: file.name });
      if (list.childElementCount >= max) wrong.push(fill(say.mostFiles, { name: file.name, most: max }));
      else if (file.size > maxFile) wrong.push(fill(say.large, { name: file.name }));
      else {
        try {
          addFile(list, control.id, await upload(control.id, file));
        } catch (error) {
          wrong.push(`${file.name}: ${error.message}`);
        }
      }
    }
    arriving--;
    status.textContent = wrong.join(" ");
    refresh();
  });
  refresh();
}

/** Computes for some milliseconds at a time, so that typing stays smooth. */
function work() {
  const until = performance.now() + 12;
  while (numbers.length < parts) {
    if (firstWord(`${seed}.${numbers.length}.${next}`) >>> (32 - bits) === 0) {
      numbers.push(next);
      next = -1;
    }
    next++;
    if (next % 64 === 0 && performance.now() > until) {
      setTimeout(work, 4);
      return;
    }
  }
  solution.value = numbers.join(",");
  for (const one of solved.splice(0)) one();
  if (wanted) form.submit();
}

function begin() {
  if (working || solution.value !== "" || "preview" in form.dataset) return;
  working = true;
  work();
}

let sent = false;
form.addEventListener("input", () => {
  arrange();
  begin();
});
form.addEventListener("focusin", begin);
form.addEventListener("submit", (event) => {
  if (sent || wanted) {
    event.preventDefault();
    return;
  }
  if (!isLast()) {
    event.preventDefault();
    if (isComplete([current])) step(1);
    return;
  }
  if (!isComplete(shownPages())) {
    event.preventDefault();
    return;
  }
  if (arriving > 0 || "preview" in form.dataset) {
    event.preventDefault();
    progress.textContent = arriving > 0 ? say.wait : say.preview;
    return;
  }
  button.disabled = true;
  if (solution.value !== "") {
    sent = true;
    return;
  }
  event.preventDefault();
  wanted = true;
  progress.textContent = say.checking;
  begin();
});
// The page may come back from the history with the button as it was.
addEventListener("pageshow", () => {
  sent = wanted = false;
  progress.textContent = "";
  button.disabled = false;
  arrange();
});
if (pages.length > 0) {
  form.noValidate = true; // a browser cannot show what is wrong on another page
  back.addEventListener("click", () => step(-1));
  const wrong = form.querySelector(".error")?.closest(".page");
  arrange();
  if (wrong) turn(wrong);
  else if (document.querySelector(".alert[role]")) turn(shownPages().at(-1));
}
form.querySelector("[aria-invalid]")?.focus();
