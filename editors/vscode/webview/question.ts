/** The fields at the top: one question, or two to compare. */
import type { PanelState } from "../src/panel/messages";
import { iconButton } from "./buttons";
import { el, setShown } from "./dom";
import type { Say } from "./text";

export interface Asked {
  readonly question: string;
  readonly second: string | null;
}

export class QuestionFields {
  readonly element: HTMLElement;
  private readonly first: Field;
  private readonly second: Field;
  private readonly secondRow: HTMLElement;
  private known: string | null = null;

  constructor(
    say: Say,
    private readonly ask: (asked: Asked) => void,
    swap: () => void,
  ) {
    const submit = (): void => {
      ask(this.asked);
    };
    this.first = new Field(say("question"), say("questionHint"), submit);
    this.second = new Field(say("second"), say("secondHint"), submit);
    const swapButton = iconButton("swap", say("swap"), swap);
    const closeButton = iconButton("close", say("close"), () => {
      this.compare(false);
    });
    this.secondRow = el("div", "second", { hidden: true }, this.second.element, swapButton, closeButton);
    this.element = el(
      "div",
      "questions",
      {},
      el("div", "first", {}, this.first.element, iconButton("ask", say("ask"), submit)),
      this.secondRow,
    );
  }

  get asked(): Asked {
    return { question: this.first.value, second: this.secondRow.hidden ? null : this.second.value };
  }

  get comparing(): boolean {
    return !this.secondRow.hidden;
  }

  /** What the user is typing stays; what the state has changed by itself is shown. */
  update(state: PanelState): void {
    this.first.follow(state.question);
    if (state.second !== this.known) {
      this.known = state.second;
      this.second.follow(state.second ?? "");
      setShown(this.secondRow, state.second !== null);
    }
  }

  focus(): void {
    this.first.focus();
  }

  /** Opens the second field, or closes it again. */
  compare(on: boolean): void {
    setShown(this.secondRow, on);
    this.second.follow("");
    (on ? this.second : this.first).focus();
    this.ask(this.asked);
  }
}

class Field {
  readonly element: HTMLTextAreaElement;
  private known = "";

  constructor(label: string, hint: string, submit: () => void) {
    this.element = el("textarea", "field", { rows: 1, placeholder: hint, "aria-label": label, spellcheck: "false" });
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        submit();
      }
    });
  }

  get value(): string {
    return this.element.value;
  }

  follow(text: string): void {
    if (text !== this.known) {
      this.known = text;
      this.element.value = text;
    }
  }

  focus(): void {
    this.element.focus();
    this.element.select();
  }
}
