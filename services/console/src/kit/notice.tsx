import { CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import kit from './kit.module.css';

const ICONS = { ok: CircleCheck, info: Info, person: TriangleAlert, limited: TriangleAlert };

/** The result of an action, or what the user should know before one. */
export function Notice({ tone, children }: { tone: keyof typeof ICONS; children: ReactNode }) {
  const Icon = ICONS[tone];
  return (
    <div className={`${kit.notice} ${kit[tone] ?? ''}`} role="status">
      <Icon size={18} aria-hidden />
      <div className={kit.grow}>{children}</div>
    </div>
  );
}
