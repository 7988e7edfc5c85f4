// Choice of the method of a column: complete methods, or combined parts, with reasons for incompatible ones.

import { make } from "../dom.js";
import type { Choice, MethodKind, Methods } from "./protocol.js";

const AS_FILE = "";
const PARTS = "parts";
const TOLERANCES = ["1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8", "1e-9", "1e-10", "1e-12"];
/** Number of steps in a span if a method needs a step and none is given. */
const DEFAULT_STEPS = 2000;

export class Picker {
  readonly element: HTMLFieldSetElement;
  readonly #method = make("select", {});
  readonly #formulation = make("select", {});
  readonly #stabilisation = make("select", {});
  readonly #integrator = make("select", {});
  readonly #tolerance = make("select", {});
  readonly #step = make("input", {
    type: "text",
    inputmode: "decimal",
    placeholder: "as in the file",
  });
  readonly #refusal = make("p", { class: "refusal", role: "alert" });
  readonly #parts: readonly HTMLElement[];
  readonly #changed: () => void;
  readonly #judge: (parts: readonly string[]) => void;
  #methods: Methods = [];
  #reasons: Readonly<Record<string, string>> = {};
  #span = 10;

  constructor(title: string, changed: () => void, judge: (parts: readonly string[]) => void) {
    this.#changed = changed;
    this.#judge = judge;
    this.#tolerance.append(new Option("as in the file", ""));
    for (const value of TOLERANCES) this.#tolerance.append(new Option(value, value));
    this.#parts = [
      labelled("formulation", this.#formulation),
      labelled("stabilisation", this.#stabilisation),
      labelled("integrator", this.#integrator),
    ];
    this.element = make(
      "fieldset",
      { class: "picker card" },
      make("legend", {}, title),
      labelled("method", this.#method),
      ...this.#parts,
      labelled("tolerance", this.#tolerance),
      labelled("step (s)", this.#step),
      this.#refusal,
    );
    for (const part of this.#parts) part.hidden = true;
    this.#method.addEventListener("change", () => this.#chosen());
    for (const select of [this.#formulation, this.#stabilisation]) {
      select.addEventListener("change", () => this.#askJudge());
    }
    this.#integrator.addEventListener("change", () => this.#settle());
    this.#tolerance.addEventListener("change", () => this.#settle());
    this.#step.addEventListener("change", () => this.#settle());
  }

  /** Sets the available methods. */
  setMethods(methods: Methods): void {
    this.#methods = methods;
    const chosen = this.#method.value;
    const names = (kind: MethodKind, isAdaptive: boolean) =>
      methods.filter((one) => one.kind === kind && one.isAdaptive === isAdaptive);
    this.#method.replaceChildren(
      new Option("as in the file", AS_FILE),
      new Option("combine parts…", PARTS),
      group("adaptive", names("integrator", true)),
      group("coupled, adaptive or fixed step", names("coupled", true)),
      group("coupled, fixed step", names("coupled", false)),
      group("fixed step", names("integrator", false)),
    );
    this.#method.value = chosen;
    const fill = (select: HTMLSelectElement, kind: MethodKind, none?: string) =>
      select.replaceChildren(
        ...(none === undefined ? [] : [new Option(none, "")]),
        ...methods.filter((one) => one.kind === kind).map(({ name }) => new Option(name, name)),
      );
    fill(this.#formulation, "formulation");
    fill(this.#stabilisation, "stabilisation", "none");
    fill(this.#integrator, "integrator");
    this.#formulation.value =
      methods.find(({ name }) => name.startsWith("udwadiaKalaba"))?.name ?? "";
    this.#integrator.value = "rk4";
  }

  /** Sets the span of runs, from which a default step is derived. */
  set span(span: number) {
    this.#span = span;
  }

  /** Chooses combined parts programmatically. */
  choose(formulation: string, stabilisation: string, integrator: string): void {
    this.#method.value = PARTS;
    const found = (select: HTMLSelectElement, name: string) =>
      [...select.options].find(({ value }) => value === name || value.startsWith(`${name}(`))
        ?.value;
    this.#formulation.value = found(this.#formulation, formulation) ?? "";
    this.#stabilisation.value = found(this.#stabilisation, stabilisation) ?? "";
    this.#integrator.value = integrator;
    this.#chosen();
  }

  /** Restores a choice from a link. */
  restore(choice: Choice): void {
    const { method, tolerance, step } = choice;
    this.#tolerance.value = tolerance === undefined ? "" : exponent(tolerance);
    this.#step.value = step === undefined ? "" : String(step);
    const words = method?.split(" + ") ?? [];
    if (words.length <= 1) this.#method.value = words[0] ?? AS_FILE;
    else {
      this.#method.value = PARTS;
      for (const word of words) {
        const kind = this.#methods.find(({ name }) => name === word)?.kind;
        if (kind === "formulation") this.#formulation.value = word;
        if (kind === "stabilisation") this.#stabilisation.value = word;
        if (kind === "integrator") this.#integrator.value = word;
      }
    }
    this.#showParts();
  }

  /** Sets the reasons why integrators are incompatible. */
  setReasons(reasons: Readonly<Record<string, string>>): void {
    this.#reasons = reasons;
    for (const option of this.#integrator.options) {
      const isRefused = Object.hasOwn(reasons, option.value);
      option.textContent = isRefused ? `${option.value} (incompatible)` : option.value;
    }
    this.#settle();
  }

  /** Present choice; undefined if its parts are incompatible. */
  get choice(): Choice | undefined {
    if (this.#objection() !== undefined) return undefined;
    const method = this.#words();
    const step = this.#step.value.trim() === "" ? undefined : Number(this.#step.value);
    return {
      method,
      step:
        step ??
        (method !== undefined && this.#needsStep() ? this.#span / DEFAULT_STEPS : undefined),
      tolerance: this.#tolerance.value === "" ? undefined : Number(this.#tolerance.value),
    };
  }

  /**
   * Shows why a run was refused; an empty text clears the message. An objection to the present choice takes precedence,
   * since a run may end after an incompatible choice was made.
   */
  set refusal(text: string) {
    this.#refusal.textContent = this.#objection() ?? text;
  }

  /** Returns why the present choice cannot run. */
  #objection(): string | undefined {
    const isOwn = this.#method.value === PARTS;
    const reason = isOwn ? this.#reasons[this.#integrator.value] : undefined;
    if (reason !== undefined) return reason;
    const step = this.#step.value.trim();
    return step === "" || Number(step) > 0 ? undefined : "the step must be a positive number";
  }

  #words(): string | undefined {
    if (this.#method.value === AS_FILE) return undefined;
    if (this.#method.value !== PARTS) return this.#method.value;
    return [...this.#pair(), this.#integrator.value].join(" + ");
  }

  #pair(): readonly string[] {
    return [this.#formulation.value, this.#stabilisation.value].filter((word) => word !== "");
  }

  #needsStep(): boolean {
    const last = this.#method.value === PARTS ? this.#integrator.value : this.#method.value;
    return this.#methods.find(({ name }) => name === last)?.isAdaptive === false;
  }

  #chosen(): void {
    this.#showParts();
    if (this.#method.value === PARTS) this.#askJudge();
    else this.#settle();
  }

  #showParts(): void {
    for (const part of this.#parts) part.hidden = this.#method.value !== PARTS;
  }

  #askJudge(): void {
    this.#judge(this.#pair());
  }

  #settle(): void {
    this.refusal = "";
    this.#step.placeholder =
      this.#words() !== undefined && this.#needsStep()
        ? String(Number((this.#span / DEFAULT_STEPS).toPrecision(3)))
        : "as in the file";
    if (this.#objection() === undefined) this.#changed();
  }
}

function labelled(text: string, field: HTMLElement): HTMLElement {
  return make("label", {}, text, field);
}

function group(label: string, methods: Methods): HTMLOptGroupElement {
  const made = make("optgroup", { label });
  made.append(...methods.map(({ name }) => new Option(name, name)));
  return made;
}

/** Formats a tolerance as in the list. */
function exponent(value: number): string {
  return TOLERANCES.find((text) => Number(text) === value) ?? "";
}
