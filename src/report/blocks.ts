// Blocks of a page.

import type { Scene } from "./scene-data.js";

/** An assessment, shown by a colour and a symbol. */
export type Tone = "good" | "warn" | "bad";

/** A key figure. */
export interface Fact {
  readonly label: string;
  readonly value: string | number;
  readonly unit?: string;
  readonly tone?: Tone;
  /** Additional line in small type. */
  readonly hint?: string;
}

export type Cell = string | { readonly text: string; readonly tone?: Tone; readonly hint?: string };

export interface TableColumn {
  readonly name: string;
  readonly align?: "left" | "right";
}

export interface TableBlock {
  readonly title?: string;
  readonly caption?: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** Whether the table is collapsed until its title is clicked. */
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
  /** Values; NaN makes a gap. */
  readonly y: ArrayLike<number>;
  /** Marks the points in addition to the line. */
  readonly points?: boolean;
  /** A reference curve, grey and dashed. */
  readonly isReference?: boolean;
}

export interface Plot {
  readonly title: string;
  readonly x: PlotAxis;
  readonly y: PlotAxis;
  readonly series: readonly Series[];
  /** Vertical lines, for events. */
  readonly marks?: readonly { readonly x: number; readonly label: string }[];
  /** Whether x is the time of the preceding animation, or of the first; a line marks the present time. */
  readonly synced?: boolean;
}

export type Block =
  | { readonly kind: "facts"; readonly title?: string; readonly facts: readonly Fact[] }
  | { readonly kind: "notes"; readonly title?: string; readonly notes: readonly string[] }
  | ({ readonly kind: "table" } & TableBlock)
  | { readonly kind: "animation"; readonly scene: Scene }
  /** Consecutive plots form a grid. */
  | { readonly kind: "plot"; readonly plot: Plot }
  | { readonly kind: "heading"; readonly text: string };

export interface Page {
  /** Title of the window and heading of the page. */
  readonly title: string;
  readonly subtitle?: string;
  readonly blocks: readonly Block[];
  readonly footer?: string;
}
