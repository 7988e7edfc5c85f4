// A mechanism as a drawing: plain data, which the page turns into lines. Points are given in the frame
// of a body, so that poses are all that changes with time.

import type { Matrix, Vector } from "../../describe/model/model-data.js";

/** A point of a body: its number (-1 for the ground), then x, y, z in its frame. */
export type Anchor = readonly [body: number, x: number, y: number, z: number];

export type JointSymbol =
  | "pin"
  | "ball"
  | "cross"
  | "block"
  | "sleeve"
  | "thread"
  | "plate"
  | "rods"
  | "weld"
  | "blade"
  | "foot";

/** Something drawn. */
export type Drawing =
  /** A thick link through points: a line, or a plate if there are more than two. */
  | { readonly kind: "link"; readonly body: number; readonly points: readonly Vector[] }
  /** A thin rigid bar, between bodies or from a joint to a shape. */
  | { readonly kind: "bar"; readonly a: Anchor; readonly b: Anchor }
  | {
      readonly kind: "box";
      readonly body: number;
      readonly centre: Vector;
      /** Columns. */
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
      /** Whether it turns: then spokes show it. */
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
      /** The body on the other side. */
      readonly other: number;
      /** Of the joint, in the frame of the body: columns; z is its axis. */
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
  /** What a slide slides on: from and to are along the axis from the point. */
  | {
      readonly kind: "rail";
      readonly at: Anchor;
      readonly axis: Vector;
      readonly from: number;
      readonly to: number;
    }
  /** Where a body is fixed to the ground; the base lies in the direction `base` from there. */
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
  /** A road: pairs of points, left and right; and pairs across it, to see it pass. */
  | {
      readonly kind: "road";
      readonly body: number;
      readonly edges: readonly Vector[];
      readonly across: readonly Vector[];
    }
  /** A part of a plane: corner and two sides, which are divided into cells. */
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

/** A drawing, and the joint or force it stands for. */
export type Item = Drawing & { readonly of?: string };

/** Where bodies are at each time. */
export interface Frames {
  /** Not decreasing. */
  readonly times: ArrayLike<number>;
  /** x, y, z of the origin of the frame of each body, in the order of the model; then the next time. */
  readonly positions: ArrayLike<number>;
  /** Euler parameters, scalar first, likewise. */
  readonly orientations: ArrayLike<number>;
  readonly events?: readonly { readonly time: number; readonly name: string }[];
  /** Joints and forces that were not there for a while: other modes. */
  readonly absences?: readonly Absence[];
  /** How many states these were chosen from. */
  readonly total?: number;
  readonly lengthUnit: string;
  readonly timeUnit: string;
}

export interface Absence {
  /** Of a joint or force. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** From where one looks. */
export interface SceneView {
  readonly up: Vector;
  /** On the screen of the front view. */
  readonly right: Vector;
  /** Towards the viewer. */
  readonly from: Vector;
  /** A body that stays in the middle, horizontally; -1: none. */
  readonly follow: number;
  /** Points that stay in the picture, relative to the body that is followed. */
  readonly extremes: readonly Vector[];
  /** How long a usual part is: symbols are smaller than that. */
  readonly detail: number;
}

/** A moving mechanism, drawn. Bodies after those with names carry drawings only. */
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
