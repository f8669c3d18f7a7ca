/** Which kind of question it is, and how many tokens the answer may have. */
import type { PanelState } from "../src/panel/messages";
import { iconButton } from "./buttons";
import { el, setAttribute, setText } from "./dom";
import { figure, type Say } from "./text";

const STEPS: readonly number[] = [
  500, 1_000, 2_000, 3_000, 4_000, 6_000, 8_000, 12_000, 16_000, 24_000, 32_000, 48_000, 64_000, 96_000, 128_000, 200_000,
];

export class Options {
  readonly element: HTMLElement;
  private readonly archetypes: HTMLSelectElement;
  private readonly automatic: HTMLOptionElement;
  private readonly budget: HTMLInputElement;
  private tokens = 0;
  private names = "";

  constructor(
    private readonly say: Say,
    choose: (archetype: string | null) => void,
    private readonly spend: (tokens: number) => void,
  ) {
    this.automatic = el("option", "", { value: "", title: say("automaticHint") }, say("automatic"));
    this.archetypes = el("select", "archetypes", { "aria-label": say("archetype") }, this.automatic);
    this.archetypes.addEventListener("change", () => {
      choose(this.archetypes.value === "" ? null : this.archetypes.value);
    });
    this.budget = el("input", "budget", { type: "text", inputmode: "numeric", "aria-label": say("budget"), title: say("budget") });
    this.budget.addEventListener("change", () => {
      this.read();
    });
    this.budget.addEventListener("keydown", (event) => {
      if (event.key === "ArrowUp" || event.key === "ArrowDown") {
        event.preventDefault();
        this.step(event.key === "ArrowUp" ? 1 : -1);
      }
    });
    const stepper = el(
      "div",
      "stepper",
      { role: "group", "aria-label": say("budget") },
      iconButton("minus", say("less"), () => {
        this.step(-1);
      }),
      this.budget,
      iconButton("plus", say("more"), () => {
        this.step(1);
      }),
    );
    this.element = el("div", "options", {}, this.archetypes, stepper);
  }

  update(state: PanelState): void {
    this.list(state);
    const used = state.archetype === null ? state.usedArchetype : null;
    setText(this.automatic, used === null ? this.say("automatic") : this.say("automaticUsed", used));
    const chosen = state.archetype ?? "";
    if (this.archetypes.value !== chosen) {
      this.archetypes.value = chosen;
    }
    const hint = state.archetypes.find(({ name }) => name === state.archetype)?.description;
    setAttribute(this.archetypes, "title", hint ?? this.say("automaticHint"));
    if (state.budget !== this.tokens) {
      this.tokens = state.budget;
      this.budget.value = figure(state.budget);
    }
  }

  private list({ archetypes, archetype }: PanelState): void {
    const known = archetypes.some(({ name }) => name === archetype) || archetype === null;
    const shown = known ? archetypes : [...archetypes, { name: archetype, description: "" }];
    const names = shown.map(({ name }) => name).join();
    if (names !== this.names) {
      this.names = names;
      const options = shown.map(({ name, description }) => el("option", "", { value: name, title: description }, name));
      this.archetypes.replaceChildren(this.automatic, ...options);
    }
  }

  private read(): void {
    const tokens = Number(this.budget.value.replace(/\D/g, ""));
    if (tokens >= 1) {
      this.set(tokens);
    } else {
      this.budget.value = figure(this.tokens);
    }
  }

  private step(by: 1 | -1): void {
    const next = by === 1 ? STEPS.find((step) => step > this.tokens) : STEPS.findLast((step) => step < this.tokens);
    if (next !== undefined) {
      this.set(next);
    }
  }

  private set(tokens: number): void {
    this.tokens = tokens;
    this.budget.value = figure(tokens);
    this.spend(tokens);
  }
}
