/** BIRD's difficulties, as its questions are published with them, easiest first. */
export const BIRD_DIFFICULTIES = ["simple", "moderate", "challenging"] as const;
