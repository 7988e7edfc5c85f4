// Constants of the layout in one object. Functions on the memory are copied as text (fresh.ts) and
// cannot access other modules, so they receive this object.

import { ForcePart, LoopBlock, Prescribed, RowKind, Status, Turn, Want } from "nodrift/kernels";
import { BLOCK_LENGTH, COLUMN_LENGTH, INCIDENCE_LENGTH, PAIR_LENGTH } from "./block-tables.js";

/** Integers for one marker: slot of its body's frame, 1 when its axes are asked for. */
export const MARKER_LENGTH = 2;

/**
 * Integers for one row primitive: kind, row, markers A and B, frames of their bodies, arms in their
 * bodies, axes, Jacobian rows, constants.
 */
export const ENTRY_LENGTH = 13;

/** Integers for one angle: x of A, x of B, frames of their bodies, its record, its reference. */
export const ANGLE_LENGTH = 6;

export const constants = {
  PHI: Want.PHI as number,
  JACOBIAN: Want.JACOBIAN as number,
  VALUE: Prescribed.VALUE as number,
  RATE: Prescribed.RATE as number,
  SECOND: Prescribed.SECOND as number,
  RATES: Want.RATES as number,
  COINCIDE: RowKind.COINCIDE as number,
  DOT1: RowKind.DOT1 as number,
  CONSERVATIVE: ForcePart.CONSERVATIVE as number,
  GYROSCOPIC: ForcePart.GYROSCOPIC as number,
  IMPLICIT: Turn.IMPLICIT as number,
  CAYLEY: Turn.CAYLEY as number,
  DEFICIENT: Status.DEFICIENT as number,
  NON_FINITE: Status.NON_FINITE as number,
  NOT_POSITIVE: Status.NOT_POSITIVE as number,
  SINGULAR: Status.SINGULAR as number,
  STATUS_BITS: 8,
  CODE_MASK: 255,
  DEPENDENT: LoopBlock.DEPENDENT as number,
  REFERENCE: LoopBlock.REFERENCE as number,
  PIVOT: LoopBlock.PIVOT as number,
  LOOPS: LoopBlock.LENGTH as number,
  /** Minimum pivot, in compliances, for its direction to count as held. */
  HELD: 400,
  MARKERS: MARKER_LENGTH,
  ENTRIES: ENTRY_LENGTH,
  ANGLES: ANGLE_LENGTH,
  INCIDENCES: INCIDENCE_LENGTH,
  PAIRS: PAIR_LENGTH,
  COLUMNS: COLUMN_LENGTH,
  BLOCKS: BLOCK_LENGTH,
} as const;
