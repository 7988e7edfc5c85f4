// Which parts of formulas are kept in locals and which are written where they are used, and how long
// lists of them are cut into functions: engines put locals of one very long function into memory one
// by one, and take long to compile it.

import type { Node } from "../expressions/graph.js";
import { Operation } from "../expressions/operations.js";
import { allPartsOf, type FunctionSpec, type Output } from "./function-spec.js";

/** Operations in one function. */
const LONGEST = 5000;
/** Parts inside of each other that are written without a local: writing them is recursive. */
const DEEPEST = 50;

/** What a function does, one after the other. */
export type Statement =
  | { readonly keep: Node }
  | { readonly output: Output }
  | { readonly returned: Node };

type Given = FunctionSpec["given"];

export interface Schedule {
  /** Statements of each function. */
  readonly chunks: readonly (readonly Statement[])[];
  /** Nodes that have a local. */
  readonly kept: ReadonlySet<Node>;
  /** Nodes that later functions read: they go through memory, in this order. */
  readonly carried: readonly Node[];
}

const schedules = new WeakMap<FunctionSpec, Schedule>();

/** Found once for each function. */
export function scheduleOf(spec: FunctionSpec): Schedule {
  const schedule = schedules.get(spec) ?? newSchedule(spec);
  schedules.set(spec, schedule);
  return schedule;
}

function newSchedule(spec: FunctionSpec): Schedule {
  const { outputs, returns, given } = spec;
  const roots = [...outputs.map(({ node }) => node), ...(returns ? [returns] : [])];
  const parts = allPartsOf(roots, given);
  const kept = keptOf(parts, roots, given);
  const statements: { id: number; statement: Statement }[] = [
    ...[...kept].map((node) => ({ id: node.id, statement: { keep: node } })),
    ...outputs.map((output) => ({ id: output.node.id, statement: { output } })),
  ].sort((a, b) => a.id - b.id);
  if (returns) statements.push({ id: returns.id, statement: { returned: returns } });
  const chunks: Statement[][] = [[]];
  let length = 0;
  for (const { statement } of statements) {
    const size = sizeOf(rootOf(statement), kept, given);
    if (length > 0 && length + size > LONGEST) {
      chunks.push([]);
      length = 0;
    }
    chunks.at(-1)!.push(statement);
    length += size;
  }
  return { chunks, kept, carried: chunks.length === 1 ? [] : carriedOf(chunks, kept, given) };
}

export function rootOf(statement: Statement): Node {
  if ("keep" in statement) return statement.keep;
  return "output" in statement ? statement.output.node : statement.returned;
}

/** Parts that are used more than once, and every so many levels one of those that are not. */
function keptOf(parts: readonly Node[], roots: readonly Node[], given: Given): Set<Node> {
  const uses = new Map<Node, number>();
  const use = (node: Node) => uses.set(node, (uses.get(node) ?? 0) + 1);
  for (const root of roots) use(root);
  const open = parts.filter((node) => !given?.has(node));
  for (const { operands } of open) for (const operand of operands) use(operand);
  // A power reads its base again and again.
  for (const { operation, operands } of open) {
    if (operation === Operation.IntegerPower || operation === Operation.Sign) use(operands[0]!);
  }
  const kept = new Set<Node>();
  const depths = new Map<Node, number>();
  for (const node of parts) {
    let depth = 1;
    for (const operand of node.operands) depth = Math.max(depth, 1 + (depths.get(operand) ?? 0));
    const isLeaf = node.operation === Operation.Constant;
    if (!isLeaf && (uses.get(node)! > 1 || depth > DEEPEST)) {
      kept.add(node);
      depth = 0;
    }
    depths.set(node, depth);
  }
  return kept;
}

/** Operations that are written for a statement. */
function sizeOf(root: Node, kept: ReadonlySet<Node>, given: Given): number {
  let size = 1;
  if (given?.has(root)) return size;
  for (const operand of root.operands) {
    size += kept.has(operand) || operand.operands.length === 0 ? 1 : sizeOf(operand, kept, given);
  }
  return size;
}

function carriedOf(
  chunks: readonly (readonly Statement[])[],
  kept: ReadonlySet<Node>,
  given: Given,
): Node[] {
  const madeIn = new Map<Node, number>();
  const carried = new Set<Node>();
  for (const [index, chunk] of chunks.entries()) {
    for (const statement of chunk) if ("keep" in statement) madeIn.set(statement.keep, index);
    for (const statement of chunk) {
      const read = (node: Node): void => {
        if (kept.has(node)) {
          if (madeIn.get(node) !== index) carried.add(node);
        } else if (!given?.has(node)) for (const operand of node.operands) read(operand);
      };
      const root = rootOf(statement);
      if (!("keep" in statement)) read(root);
      else if (!given?.has(root)) for (const operand of root.operands) read(operand);
    }
  }
  return [...carried];
}
