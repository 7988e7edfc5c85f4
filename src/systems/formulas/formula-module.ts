// Compiled formulas in the memory of a system.

import { NodriftError } from "../../base/errors.js";
import type { Arena, Segment } from "../../base/memory/arena.js";
import { elementary } from "../../base/wasm/elementary.js";
import {
  type CompiledFormulas,
  compileFormulas,
  type Extra,
  type ImportedKernel,
  scratchSlots,
} from "../../formulas/compiled/compile.js";
import {
  allPartsOf,
  type FunctionSpec,
  type Place,
} from "../../formulas/compiled/function-spec.js";
import { tableFunctions } from "../../formulas/compiled/table-writer.js";
import { evaluate } from "../../formulas/expressions/evaluate.js";
import { Operation } from "../../formulas/expressions/operations.js";

/** Functions over the memory of a system. */
export type FormulaFunctions = Readonly<Record<string, (...addresses: number[]) => number>>;

/** A set of functions, compiled once for all systems with the same addresses. */
export class FormulaModule {
  readonly #specs: readonly FunctionSpec[];
  readonly #compiled: CompiledFormulas;
  #module: WebAssembly.Module | undefined;
  /** Functions of tables, which are stateless and shared by all memories. */
  #tables: WebAssembly.ModuleImports | undefined;
  /** Whether the host forbids compilation. */
  #isForbidden = false;

  constructor(
    specs: readonly FunctionSpec[],
    scratch: Segment,
    kernels: readonly ImportedKernel[] = [],
    extras: readonly Extra[] = [],
  ) {
    this.#specs = specs;
    if (scratchSlots(specs) > scratch.slots) {
      throw new NodriftError(
        "MEMORY",
        "the formulas are too large to be compiled: use fewer or shorter ones",
      );
    }
    this.#compiled = compileFormulas(specs, scratch.address, kernels, extras);
  }

  /**
   * Instantiates the functions in a memory: compiled, or interpreted if compilation is forbidden or interpretation is
   * requested. Extras may call `others` as they call kernels.
   */
  in(arena: Arena, isInterpreted = false, others?: FormulaFunctions): FormulaFunctions {
    const module = isInterpreted ? undefined : this.#compile();
    if (!module) {
      const memory = new Float64Array(arena.memory.buffer as ArrayBuffer);
      return Object.fromEntries(this.#specs.map((spec) => [spec.name, interpreted(spec, memory)]));
    }
    this.#tables ??= tableFunctions(this.#compiled.tables);
    const imports = {
      env: { memory: arena.memory },
      elementary: elementary() as unknown as WebAssembly.ModuleImports,
      kernels: (others
        ? { ...arena.kernels, ...others }
        : arena.kernels) as unknown as WebAssembly.ModuleImports,
      tables: this.#tables,
    };
    return new WebAssembly.Instance(module, imports).exports as unknown as FormulaFunctions;
  }

  /** Whether the functions are WebAssembly. */
  get isCompiled(): boolean {
    return this.#module !== undefined;
  }

  #compile(): WebAssembly.Module | undefined {
    if (this.#module || this.#isForbidden) return this.#module;
    try {
      this.#module = new WebAssembly.Module(this.#compiled.bytes);
    } catch (error) {
      // An invalid module of this package is a defect, and must not be hidden by slow formulas.
      const { name } = error as Error;
      if (name === "CompileError" && WebAssembly.validate(this.#compiled.bytes) === false)
        throw error;
      this.#isForbidden = true;
    }
    return this.#module;
  }
}

// Interprets formulas, for hosts without WebAssembly compilation, and for tests, which compare the bits.

/** Returns the function of a specification over the values of a memory. */
export function interpreted(
  spec: FunctionSpec,
  memory: Float64Array,
): (...addresses: number[]) => number {
  const { outputs, returns, given } = spec;
  const roots = [...outputs.map(({ node }) => node), ...(returns ? [returns] : [])];
  const parts = allPartsOf(roots, given);
  const registers = new Float64Array(parts.length);
  const index = new Map(parts.map((node, i) => [node, i]));
  const functions = elementary();
  const steps = parts.map((node, out) => {
    const [a = 0, b = 0, c = 0] = node.operands.map((operand) => index.get(operand) ?? 0);
    return { node, out, a, b, c, at: given?.get(node) };
  });
  return (...addresses) => {
    const slotOf = ({ parameter, offset }: Place) =>
      ((parameter === undefined ? 0 : addresses[parameter]!) + offset) / 8;
    for (const { node, out, a, b, c, at } of steps) {
      const { operation, number, table } = node;
      if (at !== undefined) registers[out] = memory[at / 8]!;
      else if (operation === Operation.Constant) registers[out] = number;
      else if (operation === Operation.Slot) registers[out] = memory[slotOf(spec.slot(number))]!;
      else if (operation === Operation.Table) {
        registers[out] = table!.derivative(registers[a]!, number);
      } else evaluate(operation, registers, out, a, b, c, functions);
    }
    for (const { node, place } of outputs) memory[slotOf(place)] = registers[index.get(node)!]!;
    return returns && registers[index.get(returns)!] !== 0 ? 1 : 0;
  };
}
