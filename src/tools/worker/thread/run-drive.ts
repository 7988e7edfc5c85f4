// A run to a tolerance.

import type { State } from "../../../index.js";
import type { RealtimeRun, RunSnapshot } from "../../../solve.js";
import { AbsentParts } from "../../report/absences.js";
import { type Drive, refusal } from "./drive.js";

const OF_STEPS = "runs to a tolerance cannot do that: give spawn a step instead";

/** Drives a run in real time. */
export class RunDrive implements Drive {
  readonly #loop: RealtimeRun<State>;
  readonly #absent: AbsentParts;
  readonly data: object | undefined;
  /** Simulated seconds that were dropped before the loop was reset. */
  #lag = 0;
  #stepLength = Number.NaN;

  constructor(loop: RealtimeRun<State>, data?: object) {
    this.#loop = loop;
    this.#absent = new AbsentParts(loop.run);
    this.data = data;
  }

  get name(): string {
    return (this.data as { name?: string } | undefined)?.name ?? "";
  }

  get method(): string {
    return this.#loop.run.solution().method;
  }

  get bodies() {
    return this.#loop.run.rigidBodies;
  }

  get joints(): readonly string[] {
    const { joints = [] } = (this.data ?? {}) as { joints?: readonly { name: string }[] };
    return joints.map(({ name }) => name);
  }

  get absent(): readonly string[] {
    return this.#absent.names;
  }

  get q(): Float64Array {
    return this.#loop.q;
  }

  get v(): Float64Array {
    return this.#loop.v;
  }

  get time(): number {
    return this.#loop.time;
  }

  get reached(): number {
    return this.#loop.run.time;
  }

  get stepLength(): number {
    return this.#stepLength;
  }

  get lag(): number {
    return this.#lag + this.#loop.lag;
  }

  hold(): void {
    this.#lag += this.#loop.lag;
    this.#loop.reset();
  }

  get paused(): boolean {
    return this.#loop.paused;
  }

  set paused(paused: boolean) {
    this.#loop.paused = paused;
  }

  get clockSpeed(): number {
    return this.#loop.speed;
  }

  set clockSpeed(speed: number) {
    this.#loop.speed = speed;
  }

  get readable(): object {
    return this.#loop.run.state;
  }

  get over(): string | undefined {
    return this.#loop.run.isOver ? this.#loop.run.solution().status : undefined;
  }

  advance(seconds: number): number {
    const before = this.reached;
    const taken = this.#loop.advance(seconds);
    if (taken > 0) this.#stepLength = (this.reached - before) / taken;
    return taken;
  }

  step(count: number): void {
    const before = this.reached;
    let taken = 0;
    while (taken < count && this.#loop.run.step()) taken++;
    if (taken > 0) this.#stepLength = (this.reached - before) / taken;
  }

  set(...given: readonly unknown[]): void {
    (this.#loop.run.set as (...all: readonly unknown[]) => void)(...given);
  }

  save(): RunSnapshot {
    return this.#loop.run.save();
  }

  restore(snapshot: unknown): void {
    this.#loop.run.restore(snapshot as RunSnapshot);
  }

  push(): never {
    throw refusal("push", OF_STEPS);
  }

  grab(): never {
    throw refusal("grab", OF_STEPS);
  }

  moveTo(): never {
    throw refusal("moveTo", OF_STEPS);
  }

  release(): never {
    throw refusal("release", OF_STEPS);
  }

  setState(): never {
    throw refusal("setState", OF_STEPS);
  }

  namedState(): never {
    throw refusal("namedState", OF_STEPS);
  }

  setNamedState(): never {
    throw refusal("setNamedState", OF_STEPS);
  }

  rewind(): never {
    throw refusal("rewind", OF_STEPS);
  }

  recorded(): never {
    throw refusal("recorded", OF_STEPS);
  }
}
