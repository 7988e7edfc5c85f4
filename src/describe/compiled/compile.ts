// Formulas as a WebAssembly module. One function for each specification; a long one calls parts of
// itself one after the other.

import { Body, F64, I32, ModuleWriter, type ValueType } from "../../ground/emit/module-writer.js";
import type { Node } from "../expressions/graph.js";
import { Operation } from "../expressions/operations.js";
import { type Callable, CodeWriter, functionOf } from "./code-writer.js";
import { allPartsOf, type FunctionSpec } from "./function-spec.js";
import { type Schedule, type Statement, scheduleOf } from "./statements.js";
import { type LookedUp, tableName } from "./table-writer.js";

/** A module that is written, and what it imports. */
export interface CompiledFormulas {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Tables that are looked up, with the derivative of each: its imports `table0`, `table1`, ... */
  readonly tables: readonly LookedUp[];
}

/** What else is in the module: functions that call those of formulas. */
export interface Extra {
  readonly name: string;
  readonly parameters: readonly ValueType[];
  readonly result?: ValueType;
  /** Functions it calls of those that `kernels` lists. */
  write(body: Body, call: (name: string) => number): void;
}

/** A kernel of the core that extras call. */
export interface ImportedKernel {
  readonly name: string;
  readonly parameters: readonly ValueType[];
  readonly result?: ValueType;
}

/** Numbers in memory that {@link compileFormulas} needs for long functions. */
export function scratchSlots(specs: readonly FunctionSpec[]): number {
  return Math.max(0, ...specs.map((spec) => scheduleOf(spec).carried.length));
}

/**
 * Writes the module. `scratch` is the address of {@link scratchSlots} numbers.
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
    const body = new Body(extra.parameters.length);
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
  callable: Callable,
  scratch: number,
): void {
  const { parameters, returns } = spec;
  const places = new Map(carried.map((node, i) => [node, scratch + 8 * i]));
  const types = new Array<ValueType>(parameters).fill(I32);
  const write = (chunk: readonly Statement[]) => {
    const body = new Body(parameters);
    writeChunk(body, chunk, spec, callable, places);
    return body;
  };
  if (chunks.length === 1) {
    writer.define(index, write(chunks[0]!));
    return;
  }
  const body = new Body(parameters);
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
  body: Body,
  chunk: readonly Statement[],
  spec: FunctionSpec,
  callable: Callable,
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

/** Sines and cosines of one angle that are both kept in the same function. */
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

/** Imports what the functions call. */
function importsOf(
  writer: ModuleWriter,
  specs: readonly FunctionSpec[],
): { callable: Callable; tables: CompiledFormulas["tables"] } {
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
