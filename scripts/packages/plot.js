export { areaY, barY, gridY, lineY, plot, rectY, ruleY } from '@observablehq/plot';
