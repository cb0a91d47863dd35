import './tokens.css';
import './base.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiFailure } from './api/failure.ts';
import { Gate } from './session/gate.tsx';
import { router } from './routes.tsx';

const MOST_RETRIES = 2;

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2000,
      // What the API has refused it refuses again.
      retry: (count, error) => count < MOST_RETRIES && error instanceof ApiFailure && error.status === 0,
    },
  },
});

// A part of an older version of the console that is no longer served.
window.addEventListener('vite:preloadError', () => window.location.reload());

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <Gate>
          <RouterProvider router={router} />
        </Gate>
      </QueryClientProvider>
    </StrictMode>,
  );
}
