import { type CSSVariablesResolver, createTheme } from "@mantine/core";
import { messages } from "./messages.ts";

const SYSTEM_FONTS =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif';

/** The theme of all Mantine components. */
export const theme = createTheme({
  primaryColor: "indigo",
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  fontFamily: SYSTEM_FONTS,
  // Its colour is on the border, the icon and the surface; yellow words on yellow are not read.
  components: {
    Alert: { styles: { label: { color: "var(--mantine-color-text)" } } },
    Notification: {
      defaultProps: { closeButtonProps: { "aria-label": messages.closeNotification } },
    },
  },
  headings: { fontFamily: SYSTEM_FONTS, fontWeight: "650" },
});

/**
 * Mantine's quiet greys, reds and links are below the contrast that small text needs (4.5 to 1).
 */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "var(--mantine-color-gray-7)",
    "--mantine-color-placeholder": "var(--mantine-color-gray-7)",
    "--mantine-color-error": "var(--mantine-color-red-9)",
    "--mantine-color-anchor": "var(--mantine-color-indigo-8)",
  },
  dark: {
    "--mantine-color-dimmed": "var(--mantine-color-gray-5)",
    "--mantine-color-placeholder": "var(--mantine-color-gray-5)",
    "--mantine-color-error": "var(--mantine-color-red-3)",
    "--mantine-color-anchor": "var(--mantine-color-indigo-2)",
    // A button that cannot be pressed yet is still to be seen on a raised surface.
    "--mantine-color-disabled": "var(--mantine-color-dark-5)",
    "--mantine-color-disabled-color": "var(--mantine-color-dark-1)",
  },
});
