import { BRAKES, type Brake } from "#payout/brakes.ts";

/** What a brake protects and how it opens, below the line that says why it holds. */
export const brakeText = (brake: Brake): string => {
  const { name, protects, opens } = BRAKES[brake];
  return `  brake: ${name}\n  protects ${protects}\n  opens ${opens}`;
};
