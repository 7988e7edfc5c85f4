// Animation of a scene on a canvas, without three.js.

import { Camera, type Vector } from "./camera.js";
import { colourOf, onTheme, theme } from "./colours.js";
import { Motion, Trail } from "./motion.js";
import { paintAids, paintTrail } from "./paint-aids.js";
import * as bodies from "./paint-bodies.js";
import * as forces from "./paint-forces.js";
import * as joints from "./paint-joints.js";
import { Pen } from "./pen.js";
import type { DrawnScene, Item, Scene } from "./scene-data.js";

/** Maximum and minimum radius of a joint in pixels, and its radius relative to a typical part. */
const MAX_JOINT_RADIUS_PX = 6.5;
const MIN_JOINT_RADIUS_PX = 1.1;
const JOINT_RADIUS_FRACTION = 0.085;

/** Returns the radius of a joint in pixels, from the length of a typical part and the pixels per unit of length. */
export function jointRadius(detail: number, scale: number, most = MAX_JOINT_RADIUS_PX): number {
  return Math.min(most, Math.max(MIN_JOINT_RADIUS_PX, JOINT_RADIUS_FRACTION * detail * scale));
}

/**
 * A recorded motion on a canvas. The canvas is drawn again by `refresh`, which costs nothing while nothing has changed.
 *
 * @example
 * const animation = new Animation(canvas, sceneOf(solution));
 * const player = new Player(animation.start, animation.end);
 * player.listen((time) => animation.show(time));
 * attachControls(animation);
 * const paint = () => {
 *   animation.refresh();
 *   requestAnimationFrame(paint);
 * };
 * paint();
 * player.play();
 */
export class Animation {
  readonly camera: Camera;
  /** Whether names of bodies are shown. */
  names: boolean;
  /** Whether the picture is out of date. */
  isStale = true;
  readonly #pen: Pen;
  readonly #ends: readonly (() => void)[];
  #scene: DrawnScene;
  #motion: Motion;
  #trails: readonly Trail[];
  #time: number;
  #isVisible = true;
  #size: readonly [number, number] = [0, 0];

  /** `motion` is that of the scene, if it is known already. */
  constructor(canvas: HTMLCanvasElement, scene: Scene);
  constructor(canvas: HTMLCanvasElement, scene: DrawnScene, motion: Motion);
  constructor(
    readonly canvas: HTMLCanvasElement,
    scene: DrawnScene,
    motion: Motion = Motion.of((scene as Scene).frames),
  ) {
    this.#scene = scene;
    this.#motion = motion;
    this.#time = motion.start;
    this.camera = new Camera(scene.view);
    this.names = scene.labels;
    this.#pen = new Pen(canvas.getContext("2d")!, this.camera, motion, theme(), this.colours());
    this.#trails = scene.traces.map((anchor) => new Trail(anchor, motion));
    const offTheme = onTheme(() => {
      this.#pen.theme = theme();
      this.#pen.colours = this.colours();
      this.paint();
    });
    const size = new ResizeObserver(() => this.#resize());
    const sight = new IntersectionObserver((entries) => {
      this.#isVisible = entries.some(({ isIntersecting }) => isIntersecting);
    });
    size.observe(canvas);
    sight.observe(canvas);
    this.#ends = [offTheme, () => size.disconnect(), () => sight.disconnect()];
  }

  get scene(): DrawnScene {
    return this.#scene;
  }

  get start(): number {
    return this.#motion.start;
  }

  get end(): number {
    return this.#motion.end;
  }

  /** Initial direction of view. */
  get home(): Vector {
    return this.#scene.view.from;
  }

  /** Shows another scene. The direction of view stays if it is a scene of the same mechanism. */
  replace(scene: Scene): void {
    const isSame = scene.name === this.#scene.name;
    this.#scene = scene;
    this.#motion = Motion.of(scene.frames);
    this.#trails = scene.traces.map((anchor) => new Trail(anchor, this.#motion));
    this.#pen.motion = this.#motion;
    this.#pen.colours = this.colours();
    this.camera.reframe(scene.view);
    if (!isSame) {
      this.names = scene.labels;
      this.camera.lookFrom(scene.view.from);
    }
    this.isStale = true;
  }

  /** Shows the motion at a time. */
  show(time: number): void {
    this.#time = time;
    this.isStale = true;
  }

  /** Called after the camera has been moved. */
  changed(): void {
    this.isStale = true;
  }

  /** Returns the time of the next or previous frame. */
  neighbour(time: number, count: number): number {
    return this.#motion.neighbour(time, count);
  }

  /** Releases the canvas. */
  dispose(): void {
    for (const end of this.#ends) end();
  }

  /** Repaints if the picture is out of date and visible. */
  refresh(): void {
    if (this.isStale && this.#isVisible) this.paint();
  }

  colours(): readonly string[] {
    const { length } = this.#scene.bodies;
    return this.#scene.bodies.map((_, i) => colourOf(theme(), i, length));
  }

  /** Emphasised body; undefined for none. */
  set highlight(body: number | undefined) {
    this.#pen.highlight = body;
    this.isStale = true;
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.#size = [clientWidth, clientHeight];
    this.camera.fit(clientWidth, clientHeight);
    this.paint();
  }

  /** Draws the mechanism at the present time. */
  paint(): void {
    this.isStale = false;
    const ratio = devicePixelRatio || 1;
    const [width, height] = this.#size;
    if (width === 0) return;
    const sizes = [Math.round(width * ratio), Math.round(height * ratio)] as const;
    // Setting a size clears the canvas and allocates it again.
    if (this.canvas.width !== sizes[0]) this.canvas.width = sizes[0];
    if (this.canvas.height !== sizes[1]) this.canvas.height = sizes[1];
    this.#motion.moveTo(this.#time);
    this.camera.follow(this.#motion);
    const [scene, pen, time] = [this.#scene, this.#pen, this.#time];
    const { absences = [] } = scene.frames;
    const absent = new Set(
      absences.filter(({ from, to }) => from <= time && time < to).map(({ name }) => name),
    );
    const trails = this.#trails;
    paintFlat(pen, { scene, size: this.#size, ratio, time, trails, absent, hasJoints: true });
    paintAids(pen, scene, this.#size, this.names && ((body, centre) => pen.at(body, centre)));
  }
}

// The flat painter, which views without WebGL use too.

type Painters = {
  readonly [Kind in Item["kind"]]: (pen: Pen, item: Extract<Item, { readonly kind: Kind }>) => void;
};

const PAINTERS: Painters = {
  link: bodies.drawLink,
  bar: bodies.drawBar,
  box: bodies.drawBox,
  sphere: bodies.drawSphere,
  mass: bodies.drawMass,
  lines: bodies.drawLines,
  circle: bodies.drawCircle,
  cylinder: bodies.drawCylinder,
  wheel: bodies.drawWheel,
  spring: forces.drawSpring,
  spiral: forces.drawSpiral,
  bushing: forces.drawBushing,
  arrow: forces.drawArrow,
  joint: joints.drawJoint,
  rail: joints.drawRail,
  ground: joints.drawGround,
  road: joints.drawRoad,
  plane: joints.drawPlane,
};

/** What a flat picture shows of a scene. */
export interface FlatPicture {
  readonly scene: Pick<DrawnScene, "items" | "view">;
  /** Size in pixels, and device pixels per pixel. */
  readonly size: readonly [number, number];
  readonly ratio: number;
  readonly time: number;
  readonly trails: readonly Trail[];
  readonly absent: ReadonlySet<string>;
  readonly hasJoints: boolean;
}

/** Paints a flat picture: roads and planes below, then paths of points, then all other items. */
export function paintFlat(pen: Pen, picture: FlatPicture): void {
  const { scene, size, ratio, time, trails, absent, hasJoints } = picture;
  const { context } = pen;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = pen.theme.surface;
  context.fillRect(0, 0, ...size);
  pen.unit = jointRadius(scene.view.detail, pen.camera.scale);
  const paint = (isFloor: boolean) => {
    for (const item of scene.items) {
      const isPart = (item.kind === "road" || item.kind === "plane") === isFloor;
      const isHidden = !hasJoints && (item.kind === "joint" || item.kind === "ground");
      if (!isPart || isHidden || (item.of !== undefined && absent.has(item.of))) continue;
      (PAINTERS[item.kind] as (pen: Pen, item: Item) => void)(pen, item);
    }
    pen.flush();
  };
  paint(true);
  for (const trail of trails) paintTrail(pen, trail, time);
  paint(false);
}
