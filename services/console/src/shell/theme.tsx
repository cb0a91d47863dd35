import { Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../kit/button.tsx';
import kit from '../kit/kit.module.css';

const THEMES = ['system', 'light', 'dark'] as const;
const KEY = 'sealift-theme';
const ICONS = { system: Monitor, light: Sun, dark: Moon };

type Theme = (typeof THEMES)[number];

/** Switches to the next theme. The choice is one of the few things that the browser stores. */
export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(current);
  const Icon = ICONS[theme];
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
  const change = (): void => {
    apply(next);
    setTheme(next);
  };
  return (
    <Button
      className={kit.icon}
      aria-label={`Theme: ${theme}`}
      title={`Theme: ${theme}. Next: ${next}`}
      onClick={change}
    >
      <Icon size={16} aria-hidden />
    </Button>
  );
}

function current(): Theme {
  const set = document.documentElement.dataset['theme'];
  return set === 'light' || set === 'dark' ? set : 'system';
}

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Storage is switched off: the choice holds until the page is closed.
  }
}
