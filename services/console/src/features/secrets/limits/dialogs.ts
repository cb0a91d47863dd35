// Loaded together, once one of them is opened: the page of a secret is large without them.
export { MountSettings } from './mount-settings.tsx';
export { EditSettings } from './edit-settings.tsx';
