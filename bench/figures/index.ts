// The registry of figure groups: one line per group.

import { accuracyFigures } from "./accuracy.js";
import { campaignMemoryFigures } from "./campaigns-memory.js";
import { campaignSpeedFigures } from "./campaigns-speed.js";
import { cliFigures } from "./cli.js";
import { compiledAccuracyFigures } from "./compiled-accuracy.js";
import { compiledPeerFigures } from "./compiled-peers.js";
import { compiledSpeedFigures } from "./compiled-speed.js";
import { compiledStartFigures } from "./compiled-start.js";
import { compiledVehicleFigures } from "./compiled-vehicle.js";
import { equationSpeedFigures } from "./equations-speed.js";
import type { FigureGroup } from "./figure.js";
import { growthFigures } from "./growth.js";
import { liveGripFigures } from "./live-grips.js";
import { liveReplayFigures } from "./live-replay.js";
import { liveStiffFigures } from "./live-stiff.js";
import { liveStopFigures } from "./live-stops.js";
import { liveWorkerFigures } from "./live-worker.js";
import { mechanismChainFigures } from "./mechanisms-chain.js";
import { mechanismLinkageFigures } from "./mechanisms-linkages.js";
import { mechanismSpeedFigures } from "./mechanisms-speed.js";
import { paperBdfFigures } from "./papers-bdf.js";
import { paperConstraintFigures } from "./papers-constraints.js";
import { paperExplicitFigures } from "./papers-explicit.js";
import { implicitPaperFigures } from "./papers-implicit.js";
import { paperMethodFigures } from "./papers-methods.js";
import { paperMultiplierFigures } from "./papers-multipliers.js";
import { paperNameFigures } from "./papers-names.js";
import { paperPageFigures } from "./papers-pages.js";
import { papersReproduceFigures } from "./papers-reproduce.js";
import { relativeAccuracyFigures } from "./relative-accuracy.js";
import { relativeContestFigures } from "./relative-contests.js";
import { relativeContestsNewtonFigures } from "./relative-contests-newton.js";
import { relativeRoboticsFigures } from "./relative-robotics.js";
import { relativeSpeedFigures } from "./relative-speed.js";
import { relativeSpinFigures } from "./relative-spin.js";
import { relativeStiffFigures } from "./relative-stiff.js";
import { relativeStiffTreeFigures } from "./relative-stiff-tree.js";
import { robustDifferenceFigures } from "./robust-differences.js";
import { robustLimitFigures } from "./robust-limits.js";
import { robustLoopFigures } from "./robust-loops.js";
import { robustStiffnessFigures } from "./robust-stiffness.js";
import { silentAllocationFigures } from "./silent-allocation.js";
import { silentIndexFigures } from "./silent-index.js";
import { silentRedundantFigures } from "./silent-redundant.js";
import { silentSlipFigures } from "./silent-slips.js";
import { silentStiffEndFigures } from "./silent-stiff-ends.js";
import { silentStrangeFigures } from "./silent-strange.js";
import { silentTurnFigures } from "./silent-turns.js";
import { siteBitFigures } from "./site-bits.js";
import { siteBlockFigures } from "./site-blocks.js";
import { siteFrameFigures } from "./site-frames.js";
import { sitePageFigures } from "./site-pages.js";
import { siteSizeFigures } from "./site-sizes.js";
import { siteSpeedFigures } from "./site-speed.js";
import { solveHeapFigures } from "./solve-heap.js";
import { solvePeerFigures } from "./solve-peers.js";
import { solveSpeedFigures } from "./solve-speed.js";
import { solveToleranceFigures } from "./solve-tolerance.js";
import { speedFigures } from "./speed.js";
import { speedBatchFigures } from "./speed-batch.js";
import { implicitSpeedFigures } from "./speed-implicit.js";
import { speedLinkageFigures } from "./speed-linkages.js";
import { speedMakingFigures } from "./speed-making.js";
import { firstStepFigures, startFigures } from "./start.js";
import { stiffMethodFigures } from "./stiff-methods.js";
import { stiffSpeedFigures } from "./stiff-speed.js";
import { structureBitFigures } from "./structure-bits.js";
import { structureClassFigures } from "./structure-classes.js";
import { structureLaneFigures } from "./structure-lane.js";
import { structureSizeFigures } from "./structure-sizes.js";
import { structureSpeedFigures } from "./structure-speed.js";
import { layerFigures } from "./structure-structure.js";

export const figureGroups: Readonly<Record<string, FigureGroup>> = {
  async *kernels() {
    yield* speedFigures();
    yield* growthFigures();
    yield* startFigures();
    yield* accuracyFigures();
  },
  async *speed() {
    yield* speedMakingFigures();
    yield* speedLinkageFigures();
    yield* speedBatchFigures();
    yield* implicitSpeedFigures();
  },
  async *equations() {
    yield* equationSpeedFigures();
  },
  async *compiled() {
    yield* compiledSpeedFigures();
    yield* compiledStartFigures();
    yield* compiledAccuracyFigures();
    yield* compiledVehicleFigures();
    yield* compiledPeerFigures();
  },
  async *mechanisms() {
    yield* mechanismSpeedFigures();
    yield* mechanismChainFigures();
    yield* mechanismLinkageFigures();
  },
  async *solve() {
    yield* solveSpeedFigures();
    yield* solvePeerFigures();
    yield* solveToleranceFigures();
    yield* solveHeapFigures();
  },
  async *stiff() {
    yield* stiffSpeedFigures();
    yield* stiffMethodFigures();
  },
  async *campaigns() {
    yield* campaignSpeedFigures();
    yield* campaignMemoryFigures();
  },
  cli: cliFigures,
  async *robust() {
    yield* robustLoopFigures();
    yield* robustDifferenceFigures();
    yield* robustStiffnessFigures();
    yield* robustLimitFigures();
  },
  async *silent() {
    yield* silentStiffEndFigures();
    yield* silentSlipFigures();
    yield* silentTurnFigures();
    yield* silentAllocationFigures();
    yield* silentRedundantFigures();
    yield* silentIndexFigures();
    yield* silentStrangeFigures();
  },
  async *structure() {
    yield* layerFigures();
    yield* structureClassFigures();
    yield* structureSizeFigures();
    yield* firstStepFigures();
    yield* structureLaneFigures();
    yield* structureBitFigures();
    yield* structureSpeedFigures();
  },
  async *papers() {
    yield* papersReproduceFigures();
    yield* paperBdfFigures();
    yield* paperExplicitFigures();
    yield* paperMultiplierFigures();
    yield* paperNameFigures();
    yield* paperPageFigures();
    yield* paperMethodFigures();
    yield* paperConstraintFigures();
    yield* implicitPaperFigures();
  },
  async *site() {
    yield* siteSizeFigures();
    yield* sitePageFigures();
    yield* siteSpeedFigures();
    yield* siteFrameFigures();
    yield* siteBitFigures();
    yield* siteBlockFigures();
  },
  async *live() {
    yield* liveStiffFigures();
    yield* liveReplayFigures();
    yield* liveGripFigures();
    yield* liveStopFigures();
    yield* liveWorkerFigures();
  },
  async *relative() {
    yield* relativeAccuracyFigures();
    yield* relativeRoboticsFigures();
    yield* relativeSpinFigures();
    yield* relativeSpeedFigures();
    yield* relativeContestFigures();
    yield* relativeContestsNewtonFigures();
    yield* relativeStiffFigures();
    yield* relativeStiffTreeFigures();
  },
};
