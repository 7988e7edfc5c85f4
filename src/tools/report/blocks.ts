// What a page is made of.

import type { Scene } from "./scene-data.js";

/** A judgement: shown by a colour and a symbol. */
export type Tone = "good" | "warn" | "bad";

/** A number that matters. */
export interface Fact {
  readonly label: string;
  readonly value: string | number;
  readonly unit?: string;
  readonly tone?: Tone;
  /** One more line, small. */
  readonly hint?: string;
}

export type Cell = string | { readonly text: string; readonly tone?: Tone; readonly hint?: string };

export interface Column {
  readonly name: string;
  readonly align?: "left" | "right";
}

export interface Table {
  readonly title?: string;
  readonly caption?: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  /** Shown when its title is clicked. */
  readonly collapsed?: boolean;
}

export interface PlotAxis {
  readonly label: string;
  readonly unit?: string;
  readonly log?: boolean;
}

export interface Series {
  readonly name: string;
  readonly x: ArrayLike<number>;
  /** NaN are gaps. */
  readonly y: ArrayLike<number>;
  /** Marks the points, besides the line through them. */
  readonly points?: boolean;
  /** Something to compare with: grey and dashed. */
  readonly isAside?: boolean;
}

export interface Plot {
  readonly title: string;
  readonly x: PlotAxis;
  readonly y: PlotAxis;
  readonly series: readonly Series[];
  /** Vertical lines, for events. */
  readonly marks?: readonly { readonly x: number; readonly label: string }[];
  /** x is the time of the animation before it, or of the first: a line shows where that is. */
  readonly synced?: boolean;
}

export type Block =
  | { readonly kind: "facts"; readonly title?: string; readonly facts: readonly Fact[] }
  | { readonly kind: "notes"; readonly title?: string; readonly notes: readonly string[] }
  | ({ readonly kind: "table" } & Table)
  | { readonly kind: "animation"; readonly scene: Scene }
  /** Plots that follow each other stand in a grid. */
  | { readonly kind: "plot"; readonly plot: Plot }
  | { readonly kind: "heading"; readonly text: string };

export interface Page {
  /** Of the window, and above all else. */
  readonly title: string;
  readonly subtitle?: string;
  readonly blocks: readonly Block[];
  readonly footer?: string;
}
