// Compiled formulas in the memory of a system.

import {
  type CompiledFormulas,
  compileFormulas,
  type Extra,
  type ImportedKernel,
  scratchSlots,
} from "../../describe/compiled/compile.js";
import type { FunctionSpec } from "../../describe/compiled/function-spec.js";
import { interpreted } from "../../describe/compiled/interpreter.js";
import { tableFunctions } from "../../describe/compiled/table-writer.js";
import { NodriftError } from "../../ground/errors.js";
import type { Arena, Segment } from "../../ground/memory/arena.js";
import { elementary } from "../../ground/wasm/elementary.js";

/** Functions over the memory of a system. */
export type FormulaFunctions = Readonly<Record<string, (...addresses: number[]) => number>>;

/** Some functions, compiled once for all systems with the same addresses. */
export class FormulaModule {
  readonly #specs: readonly FunctionSpec[];
  readonly #compiled: CompiledFormulas;
  #module: WebAssembly.Module | undefined;
  /** Functions of tables, which keep nothing: the same for all memories. */
  #tables: WebAssembly.ModuleImports | undefined;
  /** The host forbids to compile. */
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
   * The functions in a memory: compiled, or interpreted where that is forbidden or asked for. Extras may call `others`
   * as they call kernels.
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

  /** Functions that were made are WebAssembly. */
  get isCompiled(): boolean {
    return this.#module !== undefined;
  }

  #compile(): WebAssembly.Module | undefined {
    if (this.#module || this.#isForbidden) return this.#module;
    try {
      this.#module = new WebAssembly.Module(this.#compiled.bytes);
    } catch (error) {
      // A module of ours that is not valid is a defect, and must not hide behind slow formulas.
      const { name } = error as Error;
      if (name === "CompileError" && WebAssembly.validate(this.#compiled.bytes) === false)
        throw error;
      this.#isForbidden = true;
    }
    return this.#module;
  }
}
