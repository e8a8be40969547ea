export { memoized } from '../util/memoize.ts';
