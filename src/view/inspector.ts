// Inspector: values of the selected body, joint or force, and a plot of one of them.

import type { ModelData } from "../bodies.js";
import type { Theme } from "../draw/colours.js";
import { button, make } from "../draw/dom.js";
import { sketch } from "../draw/sketch.js";
import { shortNumber } from "../draw/text.js";
import type { Feed, Readings } from "./feed.js";
import type { NamedPart } from "./picture.js";

// Quantities of bodies, joints and forces that are shown and plotted.

interface ShownQuantity {
  readonly label: string;
  readonly unit: string;
  /** Returns the value; undefined if the part does not have it. */
  readonly read: (readings: Readings, name: string) => number | undefined;
}

const size = (vector: readonly number[]) => Math.hypot(...vector);

const QUANTITIES: Readonly<Record<NamedPart["kind"], readonly ShownQuantity[]>> = {
  body: [
    { label: "speed", unit: "m/s", read: (at, name) => size(at.body(name).centreVelocity) },
    ...(["x", "y", "z"] as const).map((axis, i) => ({
      label: axis,
      unit: "m",
      read: (at: Readings, name: string) => at.body(name).centreOfMass[i],
    })),
    {
      label: "angular speed",
      unit: "rad/s",
      read: (at, name) => size(at.body(name).angularVelocity),
    },
    { label: "kinetic energy", unit: "J", read: (at, name) => at.body(name).kineticEnergy },
  ],
  joint: [
    { label: "force", unit: "N", read: (at, name) => size(at.joint(name).force()) },
    { label: "torque", unit: "N m", read: (at, name) => size(at.joint(name).torque()) },
    { label: "angle", unit: "rad", read: (at, name) => at.joint(name).angle },
    { label: "displacement", unit: "m", read: (at, name) => at.joint(name).displacement },
    { label: "length", unit: "m", read: (at, name) => at.joint(name).length },
    { label: "drive", unit: "N or N m", read: (at, name) => at.joint(name).driveForce },
  ],
  force: [
    { label: "force", unit: "N", read: (at, name) => size(at.force(name).force()) },
    { label: "torque", unit: "N m", read: (at, name) => size(at.force(name).torque()) },
    { label: "length", unit: "m", read: (at, name) => at.force(name).length },
    { label: "power", unit: "W", read: (at, name) => at.force(name).power },
  ],
};

/** Returns a value of a part; undefined if it does not exist, or not at present. */
function quantityValue(
  quantity: ShownQuantity,
  readings: Readings,
  name: string,
): number | undefined {
  try {
    const value = quantity.read(readings, name);
    return value === undefined || Number.isNaN(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

// A small plot of one quantity over time.

/** Maximum number of points stored of a live motion. */
const MAX_POINTS = 1200;

class Chart {
  readonly canvas = make("canvas", { role: "img", "aria-label": "Plot over time" });
  #times: number[] = [];
  #values: number[] = [];

  /** Replaces all points. */
  set(times: readonly number[], values: readonly number[]): void {
    this.#times = [...times];
    this.#values = [...values];
  }

  add(time: number, value: number): void {
    const last = this.#times.at(-1);
    // Start again if time has gone back.
    if (last !== undefined && time < last) this.set([], []);
    if (time === last || !Number.isFinite(value)) return;
    this.#times.push(time);
    this.#values.push(value);
    if (this.#times.length <= MAX_POINTS) return;
    this.#times = this.#times.filter((_, i) => i % 2 === 0);
    this.#values = this.#values.filter((_, i) => i % 2 === 0);
  }

  paint(theme: Theme, now: number, unit: string): void {
    sketch(this.canvas, { x: this.#times, ys: [this.#values], now, unit }, theme);
  }
}

/** Number of states of a solution in a plot. */
const PLOTTED_STATES = 300;
/** Milliseconds between two updates of the values. */
const UPDATE_INTERVAL_MS = 120;

export interface InspectorActions {
  close(): void;
  /** Shows or hides the path of the centre of a body. */
  trace(name: string): boolean;
}

export class Inspector {
  readonly element = make("section", { class: "panel", hidden: "", "aria-label": "Numbers" });
  #chosen: NamedPart | undefined;
  #shown: readonly { readonly quantity: ShownQuantity; readonly value: HTMLElement }[] = [];
  #plotted: ShownQuantity | undefined;
  readonly #chart = new Chart();
  #last = 0;
  readonly #actions: InspectorActions;

  constructor(actions: InspectorActions) {
    this.#actions = actions;
  }

  get chosen(): NamedPart | undefined {
    return this.#chosen;
  }

  /** Selects another part, or none. */
  choose(named: NamedPart | undefined, feed: Feed): void {
    this.#chosen = named;
    this.element.hidden = named === undefined;
    this.element.replaceChildren();
    if (named === undefined) return;
    this.element.append(
      make("h2", {}, named.name),
      button("Close", "×", () => this.#actions.close(), "close"),
      make("div", {}, about(named, feed.data)),
    );
    const readings = feed.readings();
    if (readings === undefined) {
      this.element.append(make("p", {}, "This source reports no values of its parts."));
      return;
    }
    const known = QUANTITIES[named.kind].filter(
      (quantity) => quantityValue(quantity, readings, named.name) !== undefined,
    );
    this.#list(known);
    this.#plot(known, named, feed);
    this.#last = 0;
  }

  #list(known: readonly ShownQuantity[]): void {
    this.#shown = known.map((quantity) => ({ quantity, value: make("dd", {}) }));
    const rows = this.#shown.flatMap(({ quantity, value }) => [
      make("dt", {}, quantity.label),
      value,
    ]);
    this.element.append(make("dl", {}, ...rows));
  }

  #plot(known: readonly ShownQuantity[], named: NamedPart, feed: Feed): void {
    const select = make("select", { "aria-label": "Plotted" });
    for (const { label } of known) select.append(new Option(`plot ${label}`, label));
    const begin = () => {
      this.#plotted = known.find(({ label }) => label === select.value) ?? known[0];
      const states = feed.history?.(PLOTTED_STATES) ?? [];
      const values = states.map(({ at }) =>
        this.#plotted ? (quantityValue(this.#plotted, at, named.name) ?? Number.NaN) : Number.NaN,
      );
      this.#chart.set(
        states.map(({ time }) => time),
        values,
      );
      this.#last = 0;
    };
    select.addEventListener("change", begin);
    begin();
    this.element.append(select, this.#chart.canvas);
    if (named.kind !== "body") return;
    const trace = button("Trace its centre of mass", "Trace", () => {
      trace.setAttribute("aria-pressed", String(this.#actions.trace(named.name)));
    });
    this.element.append(make("div", { class: "row" }, trace));
  }

  /** Shows the present values. */
  update(feed: Feed, theme: Theme, now = performance.now()): void {
    const named = this.#chosen;
    if (named === undefined || now - this.#last < UPDATE_INTERVAL_MS) return;
    this.#last = now;
    const readings = feed.readings();
    if (readings === undefined) return;
    for (const { quantity, value } of this.#shown) {
      const number = quantityValue(quantity, readings, named.name);
      value.textContent =
        number === undefined ? "not now" : `${shortNumber(number, 5)} ${quantity.unit}`;
    }
    if (this.#plotted === undefined) return;
    if (!feed.history) {
      const number = quantityValue(this.#plotted, readings, named.name);
      if (number !== undefined) this.#chart.add(feed.time, number);
    }
    this.#chart.paint(theme, feed.time, this.#plotted.unit);
  }
}

/** Describes a part. */
function about({ kind, name }: NamedPart, data: ModelData): string {
  if (kind === "body") {
    const { mass } = data.bodies.find((body) => body.name === name)!;
    return `body of ${shortNumber(mass, 5)} kg`;
  }
  if (kind === "joint") {
    const joint = data.joints.find((each) => each.name === name)!;
    return `${joint.type} ${joint.isDrive ? "(drive)" : "joint"}`;
  }
  return data.forces.find((each) => each.name === name)?.type ?? "user-defined force";
}
