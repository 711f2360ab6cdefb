// Narration players, and what they tell the interactive page (playground.js). Without this file native players and links remain.

(() => {
  "use strict";
  const { make, roomy, playground, frame, send, cue } = window.course;
  const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.round(seconds) % 60).padStart(2, "0")}`;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const remember = {
    get(key) {
      try {
        return localStorage.getItem(key);
      } catch {
        return null;
      }
    },
    set(key, value) {
      try {
        localStorage.setItem(key, value);
      } catch {
        /* then it is forgotten */
      }
    },
  };

  const SPEEDS = [1, 1.25, 1.5, 2, 0.8];
  const ICON = '<svg class="play" viewBox="0 0 24 24" aria-hidden="true"><path d="M7 4.5v15l13-7.5z"/></svg><svg class="pause" viewBox="0 0 24 24" aria-hidden="true"><path d="M6 4.5h4.2v15H6zm7.8 0H18v15h-4.2z"/></svg>';
  const players = [];
  let speed = Number(remember.get("attention-speed")) || 1;
  let onwards = false;

  class Player {
    constructor(section, index) {
      this.section = section;
      this.index = index;
      this.audio = section.querySelector("audio");
      this.title = section.querySelector("b").textContent;
      this.length = Number(section.dataset.seconds);
      this.transcript = section.querySelector("details");
      this.sentences = [...section.querySelectorAll("[data-start]")].map((element) => ({ element, start: Number(element.dataset.start) }));
      this.build();
      this.listen();
    }

    build() {
      const bar = this.section.querySelector(".listen-bar");
      this.clock = this.section.querySelector(".listen-clock");
      this.button = make("button", { type: "button", className: "listen-play", innerHTML: ICON });
      const controls = make("div", { className: "listen-controls" });
      this.range = make("input", { type: "range", min: 0, max: this.length, step: 0.1, value: 0 });
      this.range.setAttribute("aria-label", `Position in “${this.title}”`);
      this.speed = make("button", { type: "button" });
      this.onwards = make("button", { type: "button", title: "Go on to the next piece when this one ends" }, "Play on");
      controls.append(this.range, this.speed, this.onwards);
      if (this.section.dataset.cue && frame) {
        const show = make("button", { type: "button", title: "Moves the interactive page to what is spoken about" }, "Show it");
        show.addEventListener("click", () => {
          if (roomy.matches) return cue(this.section.dataset.cue, this.section);
          playground.scrollIntoView({ behavior: "instant" });
          send({ cue: this.section.dataset.cue });
        });
        controls.append(show);
      }
      bar.prepend(this.button);
      bar.append(controls);
      this.section.classList.add("rich");
      this.label();
      this.settings();
    }

    listen() {
      const { audio } = this;
      this.button.addEventListener("click", () => (audio.paused ? this.play() : audio.pause()));
      this.range.addEventListener("input", () => this.seek(Number(this.range.value)));
      this.speed.addEventListener("click", () => {
        speed = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length];
        remember.set("attention-speed", speed);
        players.forEach((player) => player.settings());
      });
      this.onwards.addEventListener("click", () => {
        onwards = !onwards;
        players.forEach((player) => player.settings());
      });
      for (const [place, { element, start }] of this.sentences.entries()) {
        const speak = () => {
          this.seek(start);
          if (audio.paused) this.play();
        };
        element.setAttribute("role", "button");
        element.tabIndex = place ? -1 : 0; // one stop for all: arrows go from one to the next
        element.addEventListener("click", speak);
        element.addEventListener("keydown", (event) => {
          const next = this.sentences[place + ({ ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key] ?? 0)]?.element;
          if (next && next !== element) {
            event.preventDefault();
            element.tabIndex = -1;
            next.tabIndex = 0;
            return next.focus();
          }
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          speak();
        });
      }
      audio.addEventListener("timeupdate", () => this.follow());
      for (const name of ["play", "pause", "ended"]) audio.addEventListener(name, () => this.label());
      audio.addEventListener("ended", () => {
        this.mark(-1);
        const next = players[this.index + 1];
        if (onwards && next) next.play(true);
      });
      audio.addEventListener("error", () => {
        this.clock.textContent = "the sound could not be loaded";
      });
    }

    play(scroll = false) {
      for (const player of players) {
        if (player !== this) player.audio.pause();
        player.last = player === this;
      }
      this.section.classList.add("begun");
      for (const fold of [this.transcript, this.section.closest("details")]) if (fold) fold.open = true;
      this.settings();
      if (scroll) this.section.scrollIntoView({ behavior: calm.matches ? "auto" : "smooth", block: "center" });
      if (this.audio.currentTime < 1 || this.audio.ended) cue(this.section.dataset.cue, this.section);
      this.audio.play().catch(() => this.label());
    }

    seek(seconds) {
      this.section.classList.add("begun");
      this.audio.currentTime = seconds;
      this.follow();
    }

    follow() {
      const now = this.audio.currentTime;
      this.range.value = now;
      this.range.setAttribute("aria-valuetext", `${clock(now)} of ${clock(this.length)}`);
      this.clock.textContent = `${clock(now)} / ${clock(this.length)}`;
      this.mark(this.sentences.findLastIndex(({ start }) => start <= now + 0.05));
    }

    mark(index) {
      if (index === this.marked) return;
      this.sentences[this.marked]?.element.classList.remove("now");
      this.sentences[index]?.element.classList.add("now");
      this.marked = index;
    }

    label() {
      const { paused } = this.audio;
      this.section.classList.toggle("playing", !paused);
      this.button.setAttribute("aria-label", `${paused ? "Play" : "Pause"}: ${this.title}`);
      this.button.title = `${paused ? "Play" : "Pause"} (k)`;
    }

    settings() {
      this.audio.playbackRate = speed;
      this.speed.textContent = `${speed}×`;
      this.speed.setAttribute("aria-label", `Speed: ${speed} times`);
      this.onwards.setAttribute("aria-pressed", String(onwards));
    }
  }

  document.querySelectorAll("section.listen").forEach((section, index) => players.push(new Player(section, index)));
  // k plays and pauses: the player that was used last, or the first one
  addEventListener("keydown", (event) => {
    if (event.key !== "k" || event.ctrlKey || event.metaKey || event.altKey || !players.length) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable]")) return;
    const one = players.find((player) => !player.audio.paused) ?? players.findLast((player) => player.last) ?? players[0];
    if (one.audio.paused) one.play();
    else one.audio.pause();
  });
  const all = document.querySelector("[data-listen]");
  if (all && players.length) {
    all.addEventListener("click", () => {
      onwards = true;
      players[0].play(true);
    });
  }

  window.course.players = players;
})();
