// How many runs wait for a person, where it is seen from another tab: in the title and on the icon.

const SIZE = 32;

const picture = waiting => {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SIZE;
  const context = canvas.getContext('2d');
  context.lineWidth = 5;
  context.strokeStyle = '#0b57b0';
  context.beginPath();
  context.arc(SIZE / 2, SIZE / 2, SIZE / 2 - 4, 0.6, Math.PI * 2);
  context.stroke();
  if (waiting) {
    context.fillStyle = '#a40e26';
    context.beginPath();
    context.arc(SIZE - 11, 11, 11, 0, Math.PI * 2);
    context.fill();
    context.fillStyle = '#ffffff';
    context.font = 'bold 16px sans-serif';
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillText(waiting > 9 ? '9+' : String(waiting), SIZE - 11, 12, 20);
  }
  return canvas.toDataURL('image/png');
};

let shown = null;

/** @param run the one that is shown, if any */
export const badge = (waiting, run) => {
  document.title = (waiting ? '(' + waiting + ') ' : '') + (run ? (run.name ?? run.runId) + ' ' + run.status + ' · ' : '') + 'Loopkeeper';
  if (shown === waiting) return;
  shown = waiting;
  document.querySelector('link[rel=icon]').href = picture(waiting);
};
