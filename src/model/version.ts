/** Version of this docferry. A constant, because a program's bundle has no package.json next to it. */
export const VERSION = '1.0.0-rc.0';
