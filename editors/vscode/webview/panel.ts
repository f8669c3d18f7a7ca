/** The context panel's page: builds its parts once, then follows the state that the extension sends. */
import type { PanelState, Saved, ToHost, ToPage } from "../src/panel/messages";
import { Bar } from "./bar";
import { el, setShown, setText } from "./dom";
import { Options } from "./options";
import { QuestionFields } from "./question";
import { LeftOut, Notices, StageView } from "./stages";
import { type Say, sayer } from "./text";
import { Tree } from "./tree";
import { Turn } from "./turn";
import { Uses } from "./uses";

interface Remembered extends Saved {
  readonly turned: readonly string[];
  readonly scroll: number;
}

class Page {
  private readonly host = acquireVsCodeApi<Remembered>();
  private readonly live = el("div", "spoken", { role: "status", "aria-live": "polite" });
  private remembered: Remembered | undefined = this.host.getState();
  private show: ((state: PanelState) => void) | undefined;
  private focusQuestion: (() => void) | undefined;
  private showCopied: (() => void) | undefined;

  start(): void {
    window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
      this.hear(data);
    });
    window.addEventListener("scroll", () => {
      this.remember({ scroll: window.scrollY });
    });
    this.send({ type: "ready", saved: this.remembered ?? null });
  }

  private hear(message: ToPage): void {
    switch (message.type) {
      case "strings":
        this.build(sayer(message.strings));
        break;
      case "state":
        this.show?.(message.state);
        break;
      case "announce":
        setText(this.live, message.text);
        break;
      case "copied":
        this.showCopied?.();
        break;
      case "focus":
        this.focusQuestion?.();
        break;
    }
  }

  private build(say: Say): void {
    const send = (type: Exclude<ToHost, { saved: unknown }>["type"]): void => {
      this.send({ type } as ToHost);
    };
    const questions = new QuestionFields(say, (asked) => { this.send({ type: "ask", ...asked }); }, () => { send("swap"); });
    const options = new Options(
      say,
      (name) => { this.send({ type: "archetype", name }); },
      (tokens) => { this.send({ type: "budget", tokens }); },
    );
    const bar = new Bar(say);
    const turn = new Turn(say);
    const uses = new Uses(say, send, () => { questions.compare(!questions.comparing); });
    const leftOut = new LeftOut(say, (source) => { this.send({ type: "bringBack", source }); });
    const notices = new Notices();
    const stage = new StageView(say, send);
    const tree = new Tree(
      say,
      (action, key) => { this.send({ type: "item", action, key }); },
      this.remembered?.turned ?? [],
      (turned) => { this.remember({ turned }); },
    );
    const busy = el("div", "busy", { "aria-hidden": "true" });
    const folder = el("div", "asked-folder");
    const keys = el("p", "spoken", { id: "keys" }, say("keys"));
    tree.element.setAttribute("aria-describedby", "keys");
    const top = el("div", "top", {}, folder, questions.element, options.element);
    const parts = [busy, top, bar.element, turn.element, uses.element, leftOut.element, notices.element, stage.element, tree.element];
    const main = document.getElementById("contextls");
    main?.replaceChildren(...parts, keys, this.live);
    this.showCopied = () => { uses.copied(); setText(this.live, say("copied")); };
    this.focusQuestion = () => { questions.focus(); };
    let scroll = this.remembered?.scroll ?? 0;
    this.show = (state) => {
      setShown(busy, state.busy);
      main?.setAttribute("aria-busy", String(state.busy));
      if (!state.busy) {
        main?.setAttribute("data-answers", state.question);
      }
      setShown(top, state.stage.kind !== "noFolder");
      setText(folder, state.folder ?? "");
      for (const part of [questions, options, bar, turn, uses, leftOut]) {
        part.update(state);
      }
      notices.update(state.notices);
      stage.update(state.stage);
      const answered = ["shown", "nothing", "indexing"].includes(state.stage.kind);
      setShown(tree.element, answered && state.sections.length > 0);
      tree.update(state.sections);
      const { question, second, archetype } = state;
      this.remember({ question, second, archetype, budget: state.budgetChosen ? state.budget : null });
      if (scroll > 0 && answered) {
        window.scrollTo(0, scroll);
        scroll = 0;
      }
    };
  }

  private remember(changes: Partial<Remembered>): void {
    const empty: Remembered = { question: "", second: null, archetype: null, budget: null, turned: [], scroll: 0 };
    this.remembered = { ...empty, ...this.remembered, ...changes };
    this.host.setState(this.remembered);
  }

  private send(message: ToHost): void {
    this.host.postMessage(message);
  }
}

new Page().start();
