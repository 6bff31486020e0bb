export { areaY, barY, gridY, lineY, plot, rectY, ruleX, ruleY } from '@observablehq/plot';
