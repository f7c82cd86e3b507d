import { type CSSVariablesResolver, createTheme } from "@mantine/core";
import { messages } from "./messages.ts";

const CAPTION = { fontSize: "0.75rem", lineHeight: "1rem" };
const LABEL = { fontSize: "0.8125rem", lineHeight: "1.25rem" };
const SECTION = { fontSize: "0.9375rem", lineHeight: "1.375rem" };

/** The theme of all Mantine components. Its colours are the tokens of tokens.css. */
export const theme = createTheme({
  primaryColor: "indigo",
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  fontFamily: "var(--font)",
  fontFamilyMonospace: "var(--font-mono)",
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "0.9375rem", xl: "1.375rem" },
  lineHeights: { xs: "1.34", sm: "1.54", md: "1.43", lg: "1.47", xl: "1.28" },
  spacing: { xs: "8px", sm: "12px", md: "16px", lg: "20px", xl: "24px" },
  radius: { xs: "4px", sm: "5px", md: "7px", lg: "10px", xl: "14px" },
  headings: {
    fontFamily: "var(--font)",
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.375rem", lineHeight: "1.75rem", fontWeight: "640" },
      h2: SECTION,
      h3: SECTION,
      h4: LABEL,
      h5: LABEL,
      h6: CAPTION,
    },
  },
  // Its colour is on the border, the icon and the surface; yellow words on yellow are not read.
  components: {
    Alert: {
      defaultProps: { radius: "lg" },
      styles: { label: { color: "var(--mantine-color-text)" } },
    },
    Modal: { defaultProps: { radius: "xl" } },
    Notification: {
      defaultProps: { closeButtonProps: { "aria-label": messages.closeNotification } },
    },
  },
});

/** The state role of each colour name of Mantine. */
const ROLES = {
  gray: "draft",
  yellow: "awaiting",
  blue: "progress",
  green: "settled",
  red: "declined",
  violet: "doubt",
  orange: "hold",
  teal: "returned",
} as const;

/** The variables with which Mantine colours components, as references to the tokens. */
function colourVariables(): Record<string, string> {
  const states = Object.entries(ROLES).flatMap(([colour, role]) => [
    [`--mantine-color-${colour}-text`, `var(--${role}-fg)`],
    [`--mantine-color-${colour}-light`, `var(--${role}-bg)`],
    [`--mantine-color-${colour}-light-hover`, `var(--${role}-bg)`],
    [`--mantine-color-${colour}-light-color`, `var(--${role}-fg)`],
    [`--mantine-color-${colour}-outline`, `var(--${role}-fg)`],
    [`--mantine-color-${colour}-outline-hover`, `var(--${role}-bg)`],
  ]);
  return {
    ...Object.fromEntries(states),
    "--mantine-color-gray-4": "var(--line-control)",
    "--mantine-color-dark-4": "var(--line-strong)",
    "--mantine-color-dark-5": "var(--track)",
    "--mantine-color-dark-6": "var(--surface)",
    "--mantine-color-dark-7": "var(--surface)",
    "--mantine-color-dark-8": "var(--canvas)",
    "--mantine-color-body": "var(--surface)",
    "--mantine-color-text": "var(--text)",
    "--mantine-color-bright": "var(--text)",
    "--mantine-color-dimmed": "var(--text-3)",
    "--mantine-color-placeholder": "var(--text-3)",
    "--mantine-color-error": "var(--declined-fg)",
    "--mantine-color-anchor": "var(--accent)",
    "--mantine-color-default": "var(--surface)",
    "--mantine-color-default-hover": "var(--subtle)",
    "--mantine-color-default-color": "var(--text)",
    "--mantine-color-default-border": "var(--line-strong)",
    "--mantine-color-disabled": "var(--track)",
    "--mantine-color-disabled-color": "var(--text-3)",
    "--mantine-color-disabled-border": "var(--track)",
    "--mantine-color-indigo-filled": "var(--accent-solid)",
    "--mantine-color-indigo-filled-hover": "var(--accent-hover)",
    "--mantine-color-indigo-light": "var(--accent-soft)",
    "--mantine-color-indigo-light-hover": "var(--accent-soft)",
    "--mantine-color-indigo-light-color": "var(--accent)",
    "--mantine-color-indigo-outline": "var(--accent)",
    "--mantine-color-indigo-outline-hover": "var(--accent-soft)",
    "--mantine-color-indigo-text": "var(--accent)",
  };
}

/** Points the colours of Mantine to the tokens, which differ by theme themselves. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: colourVariables(),
  dark: colourVariables(),
});
