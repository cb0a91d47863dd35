/** Version 0.2.0, the first one that later versions upgrade. It serves until there is a tag. */
export const RECORDED_REVISION = 'c16e00f463aedc5495578aecbb44174ed89f3c3f';
