// Scene of a mechanism as plain data, which the page draws. Points are in body frames, so that only poses change with
// time.

import type { JointSymbol, Matrix, Vector } from "../model/model-data.js";

/** A point of a body: the body index (-1 for the ground), then x, y, z in its frame. */
export type Anchor = readonly [body: number, x: number, y: number, z: number];

export type { JointSymbol, Vector };

/** A drawn item. */
export type Drawing =
  /** A thick link through points: a line, or a plate if there are more than two. */
  | { readonly kind: "link"; readonly body: number; readonly points: readonly Vector[] }
  /** A thin rigid bar, between bodies or from a joint to a shape. */
  | { readonly kind: "bar"; readonly a: Anchor; readonly b: Anchor }
  | {
      readonly kind: "box";
      readonly body: number;
      readonly centre: Vector;
      /** Axes as columns. */
      readonly axes: Matrix;
      /** Lengths of edges. */
      readonly size: Vector;
    }
  | {
      readonly kind: "cylinder";
      readonly body: number;
      readonly centre: Vector;
      readonly axis: Vector;
      readonly radius: number;
      readonly length: number;
    }
  | {
      readonly kind: "sphere";
      readonly body: number;
      readonly centre: Vector;
      readonly radius: number;
    }
  | {
      readonly kind: "wheel";
      readonly body: number;
      readonly centre: Vector;
      readonly axis: Vector;
      readonly radius: number;
      readonly width: number;
      /** Whether the wheel rotates, which spokes show. */
      readonly turns: boolean;
    }
  /** Centre of mass. */
  | { readonly kind: "mass"; readonly body: number; readonly centre: Vector }
  | {
      readonly kind: "spring";
      readonly a: Anchor;
      readonly b: Anchor;
      readonly coil: boolean;
      readonly damper: boolean;
      readonly actuator: boolean;
    }
  | {
      readonly kind: "joint";
      readonly symbol: JointSymbol;
      readonly at: Anchor;
      /** Index of the other body. */
      readonly other: number;
      /** Axes of the joint as columns, in the frame of the body; z is the joint axis. */
      readonly axes: Matrix;
      /** The second axis of a universal joint, with its body. */
      readonly second?: Anchor;
      readonly driven?: boolean;
    }
  | {
      readonly kind: "spiral";
      readonly at: Anchor;
      readonly axis: Vector;
      readonly other: number;
    }
  | { readonly kind: "bushing"; readonly at: Anchor }
  /** Rail of a slide; from and to are distances from the point along the axis. */
  | {
      readonly kind: "rail";
      readonly at: Anchor;
      readonly axis: Vector;
      readonly from: number;
      readonly to: number;
    }
  /** Joint to the ground; its base lies in the direction `base`. */
  | {
      readonly kind: "ground";
      readonly at: Vector;
      readonly base: Vector;
      readonly holds: number;
    }
  | {
      readonly kind: "arrow";
      readonly at: Anchor;
      readonly direction: Vector;
      /** Whether the direction is given in the frame of the body. */
      readonly turns: boolean;
      readonly torque: boolean;
    }
  | {
      readonly kind: "circle";
      readonly body: number;
      readonly centre: Vector;
      readonly axis: Vector;
      readonly radius: number;
    }
  /** A road: pairs of left and right points, and lines across it that show the motion. */
  | {
      readonly kind: "road";
      readonly body: number;
      readonly edges: readonly Vector[];
      readonly across: readonly Vector[];
    }
  /** A part of a plane: a corner and two sides, divided into cells. */
  | {
      readonly kind: "plane";
      readonly body: number;
      readonly corner: Vector;
      readonly u: Vector;
      readonly v: Vector;
      readonly cells: readonly [number, number];
    }
  | {
      readonly kind: "lines";
      readonly body: number;
      readonly lines: readonly (readonly Vector[])[];
    };

/** A drawing and the joint or force it represents. */
export type Item = Drawing & { readonly of?: string };
export type ItemOf<Kind extends Item["kind"]> = Extract<Item, { readonly kind: Kind }>;

/** Body poses over time. */
export interface Frames {
  /** Non-decreasing times. */
  readonly times: ArrayLike<number>;
  /** x, y, z of the frame origins, by time and body, in the order of the model. */
  readonly positions: ArrayLike<number>;
  /** Euler parameters, scalar first, in the same order. */
  readonly orientations: ArrayLike<number>;
  readonly events?: readonly { readonly time: number; readonly name: string }[];
  /** Joints and forces that were absent for a time, in other modes. */
  readonly absences?: readonly Absence[];
  /** Number of states that the frames were chosen from. */
  readonly total?: number;
  readonly lengthUnit: string;
  readonly timeUnit: string;
}

/** A scene whose frames are typed arrays. */
export interface RecordedScene extends Scene {
  readonly frames: Frames & {
    readonly times: Float64Array<ArrayBuffer>;
    readonly positions: Float64Array<ArrayBuffer>;
    readonly orientations: Float64Array<ArrayBuffer>;
  };
}

/** A scene without poses, and what a picture tells about its frames. */
export type DrawnScene = Omit<Scene, "frames"> & {
  readonly frames: Pick<Frames, "events" | "absences" | "lengthUnit" | "timeUnit">;
};

export interface Absence {
  /** Name of the joint or force. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** View of a scene. */
export interface SceneView {
  readonly up: Vector;
  /** Right on the screen, in the front view. */
  readonly right: Vector;
  /** Towards the viewer. */
  readonly from: Vector;
  /** Index of a body kept in the middle, horizontally; -1 for none. */
  readonly follow: number;
  /** Points that stay in the picture, relative to the followed body. */
  readonly extremes: readonly Vector[];
  /** Length of a typical part; symbols are smaller. */
  readonly detail: number;
}

/** A drawable moving mechanism. Bodies beyond the named ones only carry drawings. */
export interface Scene {
  readonly name: string;
  readonly bodies: readonly { readonly name: string; readonly centre: Vector }[];
  readonly items: readonly Item[];
  readonly traces: readonly Anchor[];
  readonly gravity: Vector;
  readonly view: SceneView;
  readonly labels: boolean;
  readonly frames: Frames;
}

// Plots.

/** An axis of a plot: its label, its unit, and whether it is logarithmic. */
export interface PlotAxis {
  readonly label: string;
  readonly unit?: string;
  readonly log?: boolean;
}

/** A curve of a plot. */
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

/** Curves on common axes. */
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

/** Whether x does not decrease. */
export function isOrdered(x: ArrayLike<number>): boolean {
  for (let i = 1; i < x.length; i++) if (!(x[i]! >= x[i - 1]!)) return false;
  return true;
}
