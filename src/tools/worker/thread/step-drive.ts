// Steps of one length.

import type { BodySimulation, Grip, NamedState, Recording } from "../../../bodies.js";
import { NodriftError } from "../../../ground/errors.js";
import type { Simulation, Snapshot } from "../../../index.js";
import type { Realtime } from "../../../solve.js";
import type { RunData } from "../messages/messages.js";
import { type Drive, refusal } from "./drive.js";

const OF_MECHANISMS = "it is for mechanisms: this system is given by functions, and has no bodies";
const NOT_RECORDED = "the run is not recorded: give record: true to spawn";

/** Drives a simulation in real time. */
export class StepDrive implements Drive {
  readonly #loop: Realtime<Simulation>;
  readonly data: object | undefined;
  readonly absent = [];
  /** Simulated seconds that were dropped before the loop was reset. */
  #lag = 0;
  readonly #until: number;
  readonly #grips = new Map<number, Grip>();
  readonly #recording: Recording | undefined;
  #lastGrip = 0;

  constructor(loop: Realtime<Simulation>, { until, record }: RunData, data?: object) {
    this.#loop = loop;
    this.#until = until ?? Number.POSITIVE_INFINITY;
    this.data = data;
    if (record !== undefined) this.#recording = this.#mechanism("record").record(record);
  }

  /** The simulation, where it is one of bodies. */
  #mechanism(what: string): BodySimulation {
    const { simulation } = this.#loop;
    if ("grab" in simulation) return simulation as BodySimulation;
    throw refusal(what, OF_MECHANISMS);
  }

  get name(): string {
    return (this.data as { name?: string } | undefined)?.name ?? "";
  }

  get method(): string {
    return this.#loop.simulation.method;
  }

  get bodies() {
    return this.#loop.simulation.rigidBodies;
  }

  get joints(): readonly string[] {
    return (this.#loop.simulation as Partial<BodySimulation>).joints ?? [];
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
    return this.#loop.simulation.time;
  }

  get stepLength(): number {
    return this.#loop.simulation.step;
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
    return this.#loop.simulation;
  }

  get over(): string | undefined {
    return this.reached >= this.#until - 1e-9 * this.stepLength ? "until" : undefined;
  }

  advance(seconds: number): number {
    const left = (this.#until - this.reached) / this.#loop.speed;
    return this.#loop.advance(Math.max(0, Math.min(seconds, left)));
  }

  step(count: number): void {
    this.#loop.simulation.advance(count);
  }

  set(...given: readonly unknown[]): void {
    const simulation = this.#mechanism("set");
    (simulation.set as (...all: readonly unknown[]) => void)(...given);
  }

  push(body: string, options: unknown): void {
    this.#mechanism("push").push(body, options as never);
  }

  grab(body: string, point: unknown, options: unknown): number {
    const grip = this.#mechanism("grab").grab(body, point as never, options as never);
    this.#lastGrip++;
    this.#grips.set(this.#lastGrip, grip);
    return this.#lastGrip;
  }

  moveTo(grip: number, place: unknown): void {
    this.#grip("moveTo", grip).moveTo(place as never);
  }

  release(grip: number): void {
    this.#grip("release", grip).release();
    this.#grips.delete(grip);
  }

  #grip(what: string, id: number): Grip {
    const found = this.#grips.get(id);
    if (found) return found;
    throw new NodriftError("STEP", `${what}: this grip has been released: grab again`);
  }

  setState(q: unknown, v: unknown, options: unknown): void {
    this.#loop.simulation.setState(q as never, v as never, options as never);
  }

  namedState(): NamedState {
    return this.#mechanism("namedState").namedState();
  }

  setNamedState(state: unknown): void {
    this.#mechanism("setNamedState").setNamedState(state as NamedState);
  }

  save(): Snapshot {
    return this.#loop.simulation.save();
  }

  restore(snapshot: unknown): void {
    this.#loop.simulation.restore(snapshot as Snapshot);
  }

  rewind(time: number): void {
    if (!this.#recording) throw refusal("rewind", NOT_RECORDED);
    this.#recording.rewind(time);
  }

  recorded(): unknown {
    if (!this.#recording) throw refusal("recorded", NOT_RECORDED);
    return this.#recording.run;
  }
}
