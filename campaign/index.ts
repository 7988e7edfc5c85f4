// Entry point `nodrift/campaign`: many runs of a model.

export {
  type Campaign,
  type CampaignOptions,
  type CampaignProgress,
  campaign,
} from "./campaign.js";
export type { CaseResult, FailedCase } from "./cases/result.js";
export type {
  CampaignDescription,
  CampaignModel,
  CaseLimits,
  CaseMaker,
  CorrelationOptions,
  DesignOptions,
  OutputOptions,
  ParameterOptions,
  StopRule,
} from "./definition/options.js";
export type { SobolIndex } from "./statistics/indices.js";
