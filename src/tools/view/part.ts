// What the items of a scene become in space.

import type { Object3D } from "three";
import type { Drawing } from "../report/scene-data.js";
import type { Kit } from "./kit.js";
import type { PoseTable } from "./pose-table.js";

/** Of one kind. */
export type Of<Kind extends Drawing["kind"]> = Extract<Drawing, { readonly kind: Kind }>;

/** What an item becomes. */
export interface Part {
  readonly object: Object3D;
  /** The body it hangs on; -1: the world. */
  readonly body: number;
  /** Puts it where it is now. `unit` is the radius of a joint. */
  readonly place?: (table: PoseTable, unit: number) => void;
  /** Everything about it is relative to the radius of a joint. */
  readonly isSymbol?: boolean;
}

/** What makes parts. */
export interface Maker {
  readonly kit: Kit;
  /** How long a usual part is. */
  readonly detail: number;
}
