/** The newest turn of a chat: its layers, and what of it a provider has in its cache. */
import type { LayerView, PanelState } from "../src/panel/messages";
import { el, Keyed, type Part, setShown, setText } from "./dom";
import { figure, type Say } from "./text";

const PERCENT = 100;

export class Turn {
  readonly element: HTMLElement;
  private readonly head = el("summary", "turn-head");
  private readonly cached = el("p", "turn-cached");
  private readonly saved = el("p", "turn-saved");
  private readonly layers: Keyed<LayerView, Layer>;

  constructor(private readonly say: Say) {
    const list = el("ul", "turn-layers", { "aria-label": say("turnLayers") });
    this.layers = new Keyed(list, () => new Layer());
    this.element = el("details", "turn", { open: true }, this.head, list, this.cached, this.saved);
  }

  update({ turn }: PanelState): void {
    setShown(this.element, turn !== null);
    if (turn === null) {
      return;
    }
    const { say } = this;
    setText(this.head, say("turn", turn.tokens, turn.available));
    this.layers.render(turn.layers);
    const { cachedShare } = turn;
    setText(this.cached, cachedShare === null ? say("cachedNone") : say("cached", Math.round(cachedShare * PERCENT)));
    setShown(this.saved, turn.saved > 0);
    setText(this.saved, say("saved", turn.saved));
  }
}

class Layer implements Part<LayerView> {
  readonly element: HTMLElement;
  private readonly title = el("span", "legend-title");
  private readonly tokens = el("span", "legend-tokens");

  constructor() {
    this.element = el("li", "", {}, this.title, this.tokens);
  }

  update(view: LayerView): void {
    setText(this.title, view.title);
    setText(this.tokens, figure(view.tokens));
  }
}
