import type { Sandbox } from '../../src/sandbox/index.js';
import { message } from './message.js';

/** Monitoring 1 holds a to d, monitoring 2 e to g; every filter tells some of them from others. */
export async function captureFilterWorld(sandbox: Sandbox): Promise<void> {
  await sandbox.ensureMonitoring(1);
  await sandbox.ensureMonitoring(2);
  await sandbox.capture(1, [
    message('a', {
      ...{ source: 'TWT', language: 'es', sentiment: 'B', tags: ['10'], reviewers: [7] },
      ...{ published: '2024-05-01T10:00:00Z', text: 'The breakfast was very good' },
      author: {
        ...{ sourceId: 'u-ana', username: 'ana', name: 'Ana María López', isVerified: true },
        ...{ about: 'Travel writer in Sevilla', personalUrl: 'https://ana.example.com' },
        tags: ['press'],
      },
    }),
    message('b', {
      ...{ source: 'FCP', language: 'en', sentiment: 'N', tags: ['10', '20'], reviewers: [8] },
      ...{ published: '2024-05-02T10:00:00Z', text: 'Café and room service were fine' },
      author: { sourceId: 'u-ben', username: 'ben', name: 'Ben Stone' },
    }),
    message('c', {
      ...{ source: 'NTC', language: 'de', sentiment: 'R', tags: ['30'], reviewers: [7, 9] },
      ...{ published: '2024-05-03T10:00:00Z', text: 'Breakfast was late, the room loud' },
      author: {
        ...{ sourceId: 'u-carla', username: 'carla', name: 'Carla Ruiz', isVerified: false },
        ...{ about: 'Hotels, travel, food', personalUrl: 'https://carla.example.com' },
      },
    }),
    message('d', {
      ...{ source: 'YTB', language: 'fr', sentiment: 'B' },
      ...{ published: '2024-05-04T22:30:00Z', text: 'Hôtel A&B 100% bien' },
      author: {
        ...{ sourceId: 'u-dora', username: 'dora', name: 'Dora Inés Ruiz' },
        ...{ about: 'Music', tags: ['vip', 'music'] },
      },
    }),
  ]);
  await sandbox.capture(2, [
    message('e', { source: 'ITG', language: 'nl', published: '2024-05-05T10:00:00Z' }),
    message('f', { source: 'ITG', language: 'pt', published: '2024-05-06T10:00:00Z' }),
    message('g', { source: 'ITG', language: 'cs', published: '2024-05-07T10:00:00Z' }),
  ]);
}
