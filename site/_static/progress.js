// Quick questions and ticks per exercise. All of it is kept in this browser's localStorage under one key; nothing is sent.
// Without this file the questions are lists with a fold that holds the reasons.

(() => {
  "use strict";
  const KEY = "attention-progress";
  const make = (tag, attributes = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), attributes);
    element.append(...children);
    return element;
  };
  // {chapter, or "gallery": {done: {exercise: date}, answers: {section: [index of the choice taken, or null]}}}
  const checked = (kept) => {
    const good = {};
    if (kept === null || typeof kept !== "object" || Array.isArray(kept)) return good;
    for (const [name, { done, answers } = {}] of Object.entries(kept).filter(([, one]) => one && typeof one === "object")) {
      if (!/^(ch\d\d_\w+|gallery)$/.test(name)) continue;
      good[name] = { done: {}, answers: {} };
      for (const [one, date] of Object.entries(done ?? {})) if (/^\d+\.\d+$/.test(one)) good[name].done[one] = String(date).slice(0, 10);
      for (const [one, taken] of Object.entries(answers ?? {}))
        if (/^(\d+|ch\d\d_\w+)\.[\w-]+$/.test(one) && Array.isArray(taken)) good[name].answers[one] = taken.slice(0, 9).map((choice) => (Number.isInteger(choice) ? choice : null));
    }
    return good;
  };
  const load = () => {
    try {
      return checked(JSON.parse(localStorage.getItem(KEY)));
    } catch {
      return {};
    }
  };
  let kept = load();
  const of = (chapter) => (kept[chapter] ??= { done: {}, answers: {} });
  const save = () => {
    try {
      localStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
      /* then it lasts as long as the page */
    }
    counts();
  };

  // ---- questions: from lists to radio buttons ----
  const redraw = [];
  let names = 0;
  function upgrade(section) {
    const { chapter, section: number } = section.dataset;
    const questions = [...section.querySelectorAll(".question")].map(radio);
    const again = make("button", { type: "button", className: "again" }, "Answer again");
    const draw = () => {
      const taken = of(chapter).answers[number] ?? [];
      questions.forEach((question, index) => question.show(taken[index] ?? null));
      again.hidden = !taken.some((choice) => choice !== null);
    };
    questions.forEach((question, index) =>
      question.form.addEventListener("submit", (event) => {
        event.preventDefault();
        const choice = question.inputs.findIndex((input) => input.checked);
        if (choice < 0) return;
        const taken = questions.map((_, place) => of(chapter).answers[number]?.[place] ?? null);
        taken[index] = choice;
        of(chapter).answers[number] = taken;
        save();
        draw();
      }),
    );
    again.addEventListener("click", () => {
      delete of(chapter).answers[number];
      save();
      draw();
      questions[0].inputs[0].focus();
    });
    section.insertBefore(again, section.querySelector(":scope > .back"));
    redraw.push(draw);
    draw();
  }
  function radio(question) {
    const right = Number(question.dataset.right);
    const legend = make("legend", {}, ...question.querySelector(".ask").childNodes);
    const rows = [...question.querySelector(":scope > ul").children];
    const reasons = [...question.querySelector(".reasons ul").children].map((row) => make("div", { className: "because", hidden: true }, ...row.childNodes));
    const name = `question-${names++}`;
    const inputs = rows.map((_, index) => make("input", { type: "radio", name, value: index }));
    const labels = rows.map((row, index) => make("label", {}, inputs[index], make("span", {}, ...row.childNodes)));
    for (const label of labels) for (const paragraph of label.querySelectorAll("p")) paragraph.replaceWith(...paragraph.childNodes);
    const button = make("button", { type: "submit" }, "Answer");
    const said = make("div", { className: "said" }, ...reasons);
    said.setAttribute("aria-live", "polite");
    const form = make("form", {}, make("fieldset", {}, legend, ...labels), button, said);
    question.replaceChildren(form);
    const enable = () => (button.disabled = !inputs.some((input) => input.checked));
    for (const input of inputs) input.addEventListener("change", enable);
    return {
      form,
      inputs,
      show(choice) {
        inputs.forEach((input, index) => {
          if (choice === null || index === choice) input.checked = index === choice;
          labels[index].classList.toggle("right", index === choice && index === right);
          labels[index].classList.toggle("wrong", index === choice && index !== right);
          reasons[index].hidden = index !== choice;
        });
        enable();
      },
    };
  }
  document.querySelectorAll(".questions").forEach(upgrade);

  // ---- exercises: ticks, from the link that ab.status() prints in the notebook: #done=2.1,2.3 ----
  const chapter = location.pathname.match(/(ch\d\d_\w+?)(?:\.html)?$/)?.[1];
  const exercises = new Map();
  if (chapter)
    for (const heading of document.querySelectorAll("article h3")) {
      const number = heading.textContent.match(/^Exercise (\d+\.\d+)/)?.[1];
      if (!number) continue;
      const line = make("p", { className: "ticked", hidden: true });
      heading.after(line);
      exercises.set(number, line);
    }
  const said = make("span", {});
  said.setAttribute("role", "status");
  const summary = make("p", { className: "noted" });
  const sum = make("span", {});
  function takeLink() {
    const link = location.hash.match(/^#done=([\d.,]+)$/);
    if (!link || !chapter) return;
    const today = new Date().toISOString().slice(0, 10);
    const new_ = link[1].split(",").filter((one) => exercises.has(one));
    for (const one of new_) of(chapter).done[one] ??= today;
    history.replaceState(null, "", location.pathname + location.search);
    save();
    said.textContent = new_.length ? ` Ticked from your notebook: ${new_.join(", ")}.` : " The link names no exercise of this chapter.";
  }
  // right: {section: [index of the right choice]}
  const words = (name, ofExercises, right) => {
    const { done = {}, answers = {} } = kept[name] ?? {};
    const all = Object.values(right).flat().length;
    const taken = Object.entries(right).flatMap(([section, choices]) => choices.map((choice, n) => [answers[section]?.[n] ?? null, choice])).filter(([one]) => one !== null);
    const good = taken.filter(([one, choice]) => one === choice).length;
    const ticked = Object.keys(done).length;
    if (!ticked && !taken.length) return "";
    const again = taken.length > good ? `, ${taken.length - good} to look at again` : "";
    return [`${ticked} of ${ofExercises} exercises ticked`, all && `${good} of ${all} questions right${again}`].filter(Boolean).join(", ");
  };
  const right = {};
  for (const section of document.querySelectorAll(".questions"))
    if (section.dataset.chapter === chapter) right[section.dataset.section] = [...section.querySelectorAll(".question")].map((one) => Number(one.dataset.right));
  function counts() {
    for (const [number, line] of exercises) {
      const date = kept[chapter]?.done[number];
      line.hidden = !date;
      line.textContent = date ? `✓ Your visible checks pass (noted ${date}).` : "";
    }
    if (chapter) sum.textContent = words(chapter, exercises.size, right);
    for (const one of document.querySelectorAll(".held[data-chapter]")) {
      one.textContent = words(one.dataset.chapter, one.dataset.exercises, JSON.parse(one.dataset.right));
      one.hidden = !one.textContent;
    }
  }
  if (exercises.size) {
    const head = document.querySelector(".chapter-head");
    summary.append(sum, said);
    head?.append(summary);
  }

  // ---- the front page: keep it in a file, read it back, forget it ----
  const list = document.querySelector(".parts");
  if (list) {
    const store = make("button", { type: "button" }, "Save to a file");
    const read = make("button", { type: "button" }, "Read from a file");
    const clear = make("button", { type: "button" }, "Clear");
    const file = make("input", { type: "file", accept: ".json,application/json", hidden: true });
    const answer = make("span", {});
    answer.setAttribute("role", "status");
    store.addEventListener("click", () => {
      const link = make("a", { download: "attention-progress.json", href: URL.createObjectURL(new Blob([JSON.stringify(kept, null, 1)], { type: "application/json" })) });
      link.click();
      URL.revokeObjectURL(link.href);
    });
    read.addEventListener("click", () => file.click());
    file.addEventListener("change", async () => {
      try {
        const found = checked(JSON.parse(await file.files[0].text()));
        kept = { ...kept, ...found };
        save();
        answer.textContent = ` Read: ${Object.keys(found).length} chapters.`;
      } catch {
        answer.textContent = " This file holds no progress: expected the JSON that “Save to a file” writes.";
      }
      file.value = "";
    });
    clear.addEventListener("click", () => {
      if (!confirm("Forget all ticks and answers that this browser keeps?")) return;
      kept = {};
      save();
      answer.textContent = " Cleared.";
    });
    list.after(
      make("p", { className: "noted" }, "Your ticks and answers stay in this browser; nothing is sent. ", make("span", { className: "tools" }, store, read, clear), file, answer),
    );
  }
  takeLink();
  counts();
  addEventListener("hashchange", takeLink);
  addEventListener("storage", ({ key }) => {
    if (key !== KEY) return;
    kept = load();
    redraw.forEach((draw) => draw());
    counts();
  });
})();
