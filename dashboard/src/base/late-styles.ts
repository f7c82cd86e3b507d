/**
 * The styles of the Mantine components that Home does not show. Every other page waits for these
 * styles, and Home loads them after it is shown.
 */
import "@mantine/core/styles/Affix.css";
import "@mantine/core/styles/Avatar.css";
import "@mantine/core/styles/ModalBase.css";
import "@mantine/core/styles/InlineInput.css";
import "@mantine/core/styles/Checkbox.css";
import "@mantine/core/styles/Code.css";
import "@mantine/core/styles/Drawer.css";
import "@mantine/core/styles/Combobox.css";
import "@mantine/core/styles/Fieldset.css";
import "@mantine/core/styles/List.css";
import "@mantine/core/styles/Menu.css";
import "@mantine/core/styles/Modal.css";
import "@mantine/core/styles/NumberInput.css";
import "@mantine/core/styles/Pagination.css";
import "@mantine/core/styles/PasswordInput.css";
import "@mantine/core/styles/Pill.css";
import "@mantine/core/styles/PillsInput.css";
import "@mantine/core/styles/Progress.css";
import "@mantine/core/styles/Radio.css";
import "@mantine/core/styles/RadioCard.css";
import "@mantine/core/styles/RadioIndicator.css";
import "@mantine/core/styles/FloatingIndicator.css";
import "@mantine/core/styles/SegmentedControl.css";
import "@mantine/core/styles/Stepper.css";
import "@mantine/core/styles/Switch.css";
import "@mantine/core/styles/Tabs.css";
