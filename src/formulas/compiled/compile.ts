// Compiles formulas to a WebAssembly module, with one function for each specification. Long functions are split
// into parts that are called in turn.

import {
  Code,
  F64,
  FunctionBody,
  I32,
  ModuleWriter,
  type ValueType,
} from "../../base/emit/module-writer.js";
import type { Node } from "../expressions/graph.js";
import { FUNCTION_NAMES, isElementary, Operation } from "../expressions/operations.js";
import { allPartsOf, type FunctionSpec, type Output, type Place } from "./function-spec.js";
import { type LookedUp, tableName } from "./table-writer.js";

// Schedule: which nodes are stored in locals and which are inlined, and how long lists of nodes are split into
// functions. Engines spill the locals of a very long function to memory, and take long to compile it.

/** Largest number of operations of a function. */
const MAX_OPERATIONS = 5000;
/** Largest depth of nodes inlined without a local, which limits the recursion of the writer. */
const MAX_INLINE_DEPTH = 50;

/** A statement of a function. */
type Statement =
  | { readonly keep: Node }
  | { readonly output: Output }
  | { readonly returned: Node };

type GivenNodes = FunctionSpec["given"];

interface Schedule {
  /** Statements of each function. */
  readonly chunks: readonly (readonly Statement[])[];
  /** Nodes with a local. */
  readonly kept: ReadonlySet<Node>;
  /** Nodes that later functions read, passed through memory in this order. */
  readonly carried: readonly Node[];
}

const schedules = new WeakMap<FunctionSpec, Schedule>();

/** Computes the schedule of a function, cached by specification. */
function scheduleOf(spec: FunctionSpec): Schedule {
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
    if (length > 0 && length + size > MAX_OPERATIONS) {
      chunks.push([]);
      length = 0;
    }
    chunks.at(-1)!.push(statement);
    length += size;
  }
  return { chunks, kept, carried: chunks.length === 1 ? [] : carriedOf(chunks, kept, given) };
}

function rootOf(statement: Statement): Node {
  if ("keep" in statement) return statement.keep;
  return "output" in statement ? statement.output.node : statement.returned;
}

/** Nodes that are used more than once, and single-use nodes that would be inlined too deeply. */
function keptOf(parts: readonly Node[], roots: readonly Node[], given: GivenNodes): Set<Node> {
  const uses = new Map<Node, number>();
  const use = (node: Node) => uses.set(node, (uses.get(node) ?? 0) + 1);
  for (const root of roots) use(root);
  const open = parts.filter((node) => !given?.has(node));
  for (const { operands } of open) for (const operand of operands) use(operand);
  // A power reads its base repeatedly.
  for (const { operation, operands } of open) {
    if (operation === Operation.IntegerPower || operation === Operation.Sign) use(operands[0]!);
  }
  const kept = new Set<Node>();
  const depths = new Map<Node, number>();
  for (const node of parts) {
    let depth = 1;
    for (const operand of node.operands) depth = Math.max(depth, 1 + (depths.get(operand) ?? 0));
    const isLeaf = node.operation === Operation.Constant;
    if (!isLeaf && (uses.get(node)! > 1 || depth > MAX_INLINE_DEPTH)) {
      kept.add(node);
      depth = 0;
    }
    depths.set(node, depth);
  }
  return kept;
}

/** Number of operations of a statement. */
function sizeOf(root: Node, kept: ReadonlySet<Node>, given: GivenNodes): number {
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
  given: GivenNodes,
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

// Writes the operations of formulas as WebAssembly, bitwise identical to the interpreter: sums, products,
// quotients and roots are rounded in one way only, and elementary functions come from the same module.

/** Indices of imported functions. */
interface ImportIndices {
  elementary(name: string): number;
  /** Index of the function of a table, by the node of the table. */
  table(node: Node): number;
}

/** Operations that are one instruction. */
const INSTRUCTIONS: Partial<Record<Operation, Code>> = {
  [Operation.Add]: Code.F64Add,
  [Operation.Subtract]: Code.F64Subtract,
  [Operation.Multiply]: Code.F64Multiply,
  [Operation.Divide]: Code.F64Divide,
  [Operation.Negate]: Code.F64Negate,
  [Operation.SquareRoot]: Code.F64SquareRoot,
  [Operation.Absolute]: Code.F64Absolute,
  [Operation.Floor]: Code.F64Floor,
  [Operation.Ceil]: Code.F64Ceil,
  [Operation.Minimum]: Code.F64Minimum,
  [Operation.Maximum]: Code.F64Maximum,
};

const COMPARISONS: Partial<Record<Operation, Code>> = {
  [Operation.Less]: Code.F64Less,
  [Operation.LessOrEqual]: Code.F64LessOrEqual,
  [Operation.Equal]: Code.F64Equal,
  [Operation.Different]: Code.F64NotEqual,
};

/** Name of the elementary function that an operation calls. */
function functionOf(operation: Operation): string | undefined {
  // Its name in formulas is `mod`.
  if (operation === Operation.Modulo) return "modulo";
  return isElementary(operation) ? FUNCTION_NAMES[operation] : undefined;
}

/** Writes the values of one function. */
class CodeWriter {
  readonly #body: FunctionBody;
  readonly #callable: ImportIndices;
  readonly #slot: (index: number) => Place;
  /** Locals that hold values. */
  readonly #locals = new Map<Node, number>();
  /** Addresses of values in memory. */
  readonly #carried: ReadonlyMap<Node, number>;
  readonly #given: ReadonlyMap<Node, number> | undefined;

  constructor(
    body: FunctionBody,
    callable: ImportIndices,
    { slot, given }: Pick<FunctionSpec, "slot" | "given">,
    carried: ReadonlyMap<Node, number>,
  ) {
    this.#body = body;
    this.#callable = callable;
    this.#slot = slot;
    this.#given = given;
    this.#carried = carried;
  }

  /** Evaluates a node and stores it in a local. */
  keep(node: Node, twin: Node | undefined): void {
    if (this.#locals.has(node)) return;
    if (twin) this.#sineAndCosine(node, twin);
    else {
      this.#operation(node);
      this.#body.set(this.#localOf(node));
    }
    for (const made of twin ? [node, twin] : [node]) {
      const address = this.#carried.get(made);
      if (address === undefined) continue;
      this.#body.integer(0);
      this.#body.get(this.#localOf(made));
      this.#body.store(address);
    }
  }

  /** Pushes the base address of a location; its offset belongs to the access. */
  base({ parameter }: Place): void {
    if (parameter === undefined) this.#body.integer(0);
    else this.#body.get(parameter);
  }

  /** Pushes the value of a node. */
  value(node: Node): void {
    const local = this.#locals.get(node);
    if (local !== undefined) {
      this.#body.get(local);
      return;
    }
    const address = this.#carried.get(node);
    if (address !== undefined) {
      this.#body.integer(0);
      this.#body.load(address);
      this.#body.tee(this.#localOf(node));
      return;
    }
    this.#operation(node);
  }

  #localOf(node: Node): number {
    const local = this.#locals.get(node) ?? this.#body.local(F64);
    this.#locals.set(node, local);
    return local;
  }

  /** Stores sine and cosine of an angle; `node` is one of them. */
  #sineAndCosine(node: Node, twin: Node): void {
    const [sine, cosine] = node.operation === Operation.Sin ? [node, twin] : [twin, node];
    this.value(sine.operands[0]!);
    this.#body.call(this.#callable.elementary("sineAndCosine"));
    this.#body.set(this.#localOf(sine));
    this.#body.call(this.#callable.elementary("keptCosine"));
    this.#body.set(this.#localOf(cosine));
  }

  #operation(node: Node): void {
    const body = this.#body;
    const { operation, operands, number } = node;
    const address = this.#given?.get(node);
    if (address !== undefined) {
      body.integer(0);
      body.load(address);
      return;
    }
    if (operation === Operation.Constant) {
      body.float(number);
      return;
    }
    if (operation === Operation.Slot) {
      const place = this.#slot(number);
      this.base(place);
      body.load(place.offset);
      return;
    }
    if (operation === Operation.IntegerPower) {
      this.#power(operands[0]!, operands[1]!.number);
      return;
    }
    if (operation === Operation.Sign) {
      this.#sign(operands[0]!);
      return;
    }
    if (operation === Operation.Select) {
      this.value(operands[1]!);
      this.value(operands[2]!);
      this.#truth(operands[0]!);
      body.code(Code.Select);
      return;
    }
    if (operation >= Operation.Less && operation <= Operation.Not) {
      this.#logic(node);
      body.code(Code.F64FromI32);
      return;
    }
    for (const operand of operands) this.value(operand);
    const instruction = INSTRUCTIONS[operation];
    if (instruction !== undefined) body.code(instruction);
    else if (operation === Operation.Table) body.call(this.#callable.table(node));
    else body.call(this.#callable.elementary(functionOf(operation)!));
  }

  /** x x x ..., from the left, like the interpreter; its reciprocal for negative exponents. */
  #power(x: Node, exponent: number): void {
    if (exponent < 0) this.#body.float(1);
    this.value(x);
    for (let i = 1; i < Math.abs(exponent); i++) {
      this.value(x);
      this.#body.code(Code.F64Multiply);
    }
    if (exponent < 0) this.#body.code(Code.F64Divide);
  }

  /** 1 if positive, -1 if negative, else x itself, so that zeros keep their signs and NaN stays. */
  #sign(x: Node): void {
    const body = this.#body;
    body.float(1);
    body.float(-1);
    this.value(x);
    this.value(x);
    body.float(0);
    body.code(Code.F64Less);
    body.code(Code.Select);
    this.value(x);
    body.float(0);
    body.code(Code.F64Greater);
    body.code(Code.Select);
  }

  /** Pushes the integer 1 if a value is nonzero, else 0. */
  #truth(node: Node): void {
    if (
      node.operation >= Operation.Less &&
      node.operation <= Operation.Not &&
      !this.#locals.has(node) &&
      !this.#carried.has(node) &&
      !this.#given?.has(node)
    ) {
      this.#logic(node);
      return;
    }
    this.value(node);
    this.#body.float(0);
    this.#body.code(Code.F64NotEqual);
  }

  /** Pushes the integer 1 if a comparison holds, else 0. */
  #logic({ operation, operands }: Node): void {
    const body = this.#body;
    const [a, b] = operands as [Node, Node];
    const comparison = COMPARISONS[operation];
    if (comparison !== undefined) {
      this.value(a);
      this.value(b);
      body.code(comparison);
      return;
    }
    this.#truth(a);
    if (operation === Operation.Not) {
      body.code(Code.I32EqualsZero);
      return;
    }
    this.#truth(b);
    body.code(operation === Operation.And ? Code.I32And : Code.I32Or);
  }

  /** Pushes 1 or 0 as the result of a function. */
  returned(node: Node): void {
    this.#truth(node);
  }
}

/** A compiled module with its imports. */
export interface CompiledFormulas {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Derivatives of tables that are looked up, imported as `table0`, `table1`, ... */
  readonly tables: readonly LookedUp[];
}

/** An additional function of the module, which calls those of formulas. */
export interface Extra {
  readonly name: string;
  readonly parameters: readonly ValueType[];
  readonly result?: ValueType;
  /** Writes the body; `call` returns the index of a function that `kernels` lists. */
  write(body: FunctionBody, call: (name: string) => number): void;
}

/** A kernel of the core that extras call. */
export interface ImportedKernel {
  readonly name: string;
  readonly parameters: readonly ValueType[];
  readonly result?: ValueType;
}

/** Number of scratch values in memory that {@link compileFormulas} needs for long functions. */
export function scratchSlots(specs: readonly FunctionSpec[]): number {
  return Math.max(0, ...specs.map((spec) => scheduleOf(spec).carried.length));
}

/**
 * Compiles the module. `scratch` is the address of {@link scratchSlots} values.
 */
export function compileFormulas(
  specs: readonly FunctionSpec[],
  scratch: number,
  kernels: readonly ImportedKernel[] = [],
  extras: readonly Extra[] = [],
): CompiledFormulas {
  const writer = new ModuleWriter();
  const schedules = specs.map(scheduleOf);
  const { callable, tables } = importsOf(writer, specs);
  const indices = new Map<string, number>();
  for (const { name, parameters, result } of kernels) {
    indices.set(name, writer.importFunction("kernels", name, parameters, result));
  }
  for (const { name, parameters, returns } of specs) {
    const index = writer.declare(new Array(parameters).fill(I32), returns ? I32 : undefined);
    indices.set(name, index);
    writer.export(name, index);
  }
  for (const { name, parameters, result } of extras) {
    const index = writer.declare(parameters, result);
    indices.set(name, index);
    writer.export(name, index);
  }
  for (const [i, spec] of specs.entries()) {
    writeFunction(writer, indices.get(spec.name)!, spec, schedules[i]!, callable, scratch);
  }
  for (const extra of extras) {
    const body = new FunctionBody(extra.parameters.length);
    extra.write(body, (name) => indices.get(name)!);
    writer.define(indices.get(extra.name)!, body);
  }
  return { bytes: writer.finished(), tables };
}

function writeFunction(
  writer: ModuleWriter,
  index: number,
  spec: FunctionSpec,
  { chunks, carried }: Schedule,
  callable: ImportIndices,
  scratch: number,
): void {
  const { parameters, returns } = spec;
  const places = new Map(carried.map((node, i) => [node, scratch + 8 * i]));
  const types = new Array<ValueType>(parameters).fill(I32);
  const write = (chunk: readonly Statement[]) => {
    const body = new FunctionBody(parameters);
    writeChunk(body, chunk, spec, callable, places);
    return body;
  };
  if (chunks.length === 1) {
    writer.define(index, write(chunks[0]!));
    return;
  }
  const body = new FunctionBody(parameters);
  for (const [i, chunk] of chunks.entries()) {
    const isLast = i === chunks.length - 1;
    const part = writer.declare(types, isLast && returns ? I32 : undefined);
    writer.define(part, write(chunk));
    for (let parameter = 0; parameter < parameters; parameter++) body.get(parameter);
    body.call(part);
  }
  writer.define(index, body);
}

function writeChunk(
  body: FunctionBody,
  chunk: readonly Statement[],
  spec: FunctionSpec,
  callable: ImportIndices,
  carried: ReadonlyMap<Node, number>,
): void {
  const writer = new CodeWriter(body, callable, spec, carried);
  const twins = twinsOf(chunk, spec.given);
  for (const statement of chunk) {
    if ("keep" in statement) writer.keep(statement.keep, twins.get(statement.keep));
    else if ("output" in statement) {
      const { node, place } = statement.output;
      writer.base(place);
      writer.value(node);
      body.store(place.offset);
    } else writer.returned(statement.returned);
  }
}

/** Pairs of sine and cosine of one angle in the same function. */
function twinsOf(chunk: readonly Statement[], given: FunctionSpec["given"]): Map<Node, Node> {
  const byAngle = new Map<Node, Node>();
  const twins = new Map<Node, Node>();
  for (const statement of chunk) {
    if (!("keep" in statement)) continue;
    const node = statement.keep;
    if (given?.has(node)) continue;
    if (node.operation !== Operation.Sin && node.operation !== Operation.Cos) continue;
    const angle = node.operands[0]!;
    const other = byAngle.get(angle);
    if (other === undefined) byAngle.set(angle, node);
    else {
      twins.set(node, other);
      twins.set(other, node);
    }
  }
  return twins;
}

/** Imports the functions that are called. */
function importsOf(
  writer: ModuleWriter,
  specs: readonly FunctionSpec[],
): { callable: ImportIndices; tables: CompiledFormulas["tables"] } {
  const names = new Map<string, number>();
  const tables: (LookedUp & { readonly index: number })[] = [];
  const tableAt = (node: Node) =>
    tables.find(({ table, order }) => table === node.table && order === node.number);
  const add = (name: string, count: number) => {
    if (names.has(name)) return;
    const parameters = new Array<ValueType>(count).fill(F64);
    names.set(name, writer.importFunction("elementary", name, parameters, F64));
  };
  for (const { outputs, returns, given } of specs) {
    const roots = [...outputs.map(({ node }) => node), ...(returns ? [returns] : [])];
    for (const node of allPartsOf(roots, given)) {
      if (given?.has(node)) continue;
      const name = functionOf(node.operation);
      if (name !== undefined) add(name, node.operands.length);
      if (name === "sin" || name === "cos") {
        add("sineAndCosine", 1);
        add("keptCosine", 0);
      }
      if (node.operation === Operation.Table && !tableAt(node)) {
        const index = writer.importFunction("tables", tableName(tables.length), [F64], F64);
        tables.push({ table: node.table!, order: node.number, index });
      }
    }
  }
  return {
    callable: {
      elementary: (name) => names.get(name)!,
      table: (node) => tableAt(node)!.index,
    },
    tables,
  };
}
