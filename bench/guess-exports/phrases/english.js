// @ts-check
/** What English-speaking reviewers write about places, goods, apps, employers and the like. */

const NAMES = `
@ Marcus T., Aoife Brennan, jenny_w82, Priya N, Tom Okafor, Dana, L. Whitcombe, Oskar P., old_salt_66, Mrs Hargreaves, Keisha M., Ruben, the.real.dov, Sam Lindqvist, Carla D., nightowl, H. Petrov, Wendy Chu
`;

const stay = `${NAMES}
+ The room was spotless and the bed was the best I have slept in for years.
+ Breakfast had fresh bread, local cheese and proper coffee.
+ Check-in took two minutes even though we arrived after midnight.
+ {name} at the front desk found us a cot without being asked.
+ We could see the harbour from the balcony and hear nothing of the street.
+ Five minutes on foot to the old town, and a tram stop outside the door.
+ They let us leave our bikes in the courtyard for {n} days.
+ The pool is small but warm, and never crowded in the morning.
+ Portions are huge; we shared a plate and still took some home.
+ The owner told us where the locals eat, and she was right every time.
+ Great value for this part of the city.
+ Our dog got a bowl of water and a biscuit.
- The shower ran cold after three minutes, every single day.
- We waited {n}0 minutes for the bill and then it was wrong.
- Music from the bar came through the floor until three.
- The photos must be ten years old, the carpet certainly is.
- Nobody answered the phone when the lift got stuck.
- They charged the card twice and still have not paid it back.
- Parking was advertised as free but cost 1{n} a night.
- There was mould along the window and hair in the sink.
- Breakfast ran out at half past eight.
- {name} at reception was rude when we asked for towels.
- The air conditioning rattled and dripped on the suitcase.
= It is a bed for the night, nothing more.
= Fine if you only need to be near the station.
= Some things were good, others were not.
*+ Lovely stay
*+ Would come back tomorrow
*+ A real find by the water
*+ Best breakfast in town
*+ Quiet, clean, central
*- Never again
*- Looks better in the pictures
*- Tired and overpriced
*- Sleepless nights
*- What a shame
!+ Perfect!
!+ Loved it
!+ Great place, great people
!- Avoid
!- Not clean.
!- Too loud
`;

const goods = `${NAMES}
+ Arrived a day early and packed as if it were made of glass.
+ I have used it every day for {n} months and it still looks new.
+ The battery easily lasts a weekend in the mountains.
+ It fits exactly as the size chart says.
+ Bought a second one for my mother, who never likes anything.
+ Instructions are clear and all the screws were there.
+ Much quieter than the one it replaces.
+ The colour is just as in the picture.
+ For this price you won't find better stitching.
+ Support sent a spare part within two days, no questions asked.
+ It cleans up in seconds under the tap.
- The zip broke the first time I closed it.
- It smells of plastic even after {n} washes.
- One of the legs is shorter than the others.
- Mine stopped charging after a fortnight.
- The seller wants me to pay for the return.
- It came with a foreign plug and no adapter.
- Runs at least two sizes small.
- The handle gets so hot that you need a glove.
- Paint came off on my hands.
- The lid leaks whenever the bag tips over.
- Not the model that was shown, and a different colour.
= Does what it says, no more and no less.
= It's all right for the price, I suppose.
= I wanted to love it, but I am still not sure.
*+ Exactly what I needed
*+ Solid little thing
*+ Worth every penny
*+ Five years and counting
*- Broke within a week
*- Waste of money
*- Not as described
*- Sent it back
!+ Very happy with it
!+ Works great
!+ 10/10
!- Junk
!- Disappointed.
!- Don't bother
`;

const app = `${NAMES}
+ Syncs between my phone and the laptop without me ever thinking about it.
+ The new dark mode is easy on the eyes.
+ I switched from two other apps and have not looked back.
+ Support replied on a Sunday and fixed my account in an hour.
+ Offline maps saved our trip in the hills.
+ Widgets finally show what I want to see.
+ Set-up took me less than {n} minutes.
+ The dashboards make sense even to people who hate spreadsheets.
+ Reports that took a day now take a coffee.
+ Keyboard shortcuts for everything, and they are the ones you expect.
- Since the last update it crashes whenever I open the camera.
- It logs me out {n} times a day.
- Every second screen is an advert for the paid plan.
- They moved the export behind a subscription.
- Search finds nothing that is older than a month.
- Notifications come hours late or twice.
- My data was gone after I changed phones.
- The mobile version can do about half of what the desktop does.
- Loading a project with more than a few hundred rows takes forever.
- You can't cancel from within the app, you have to write an e-mail.
= Good idea, but it needs another year.
= It used to be better, though I have seen worse.
= Does the basics.
*+ Can't work without it
*+ Finally an app that works
*+ Saves hours every week
*+ Simple and fast
*- Crashes all the time
*- Used to be good
*- Paywall everywhere
*- Lost everything
!+ Love this app
!+ nice
!+ so useful!!
!- Keeps crashing
!- uninstalled
!- too many ads
`;

const likes = `${NAMES}
+ The colleagues are clever and kind, and help without being asked.
+ Flexible hours and nobody counts your minutes.
+ You learn more in {n} months here than elsewhere in years.
+ Free lunch on Fridays and a decent coffee machine.
+ Pay is above the market and always on time.
+ The office is bright and right beside the station.
+ Managers listen in the weekly round and act on it.
+ A budget for courses that you may actually spend.
+ Interesting customers and real responsibility early on.
+ Parental leave was handled without any fuss.
- Overtime is expected and never paid.
- Promotions go to those who shout the loudest.
- Three reorganisations within {n} months.
- Tools from the last century and no time to replace them.
- The canteen closed and nothing has come in its place.
- Decisions are made in rooms you are not invited to.
- High turnover, so you train a newcomer every month.
- Salaries differ wildly for the same work.
- Annual reviews are a form that nobody reads.
- Working from home was promised and then taken back.
= Depends very much on the team you land in.
= Neither good nor bad.
~ Trust the people who do the work.
~ Publish the salary bands and stick to them.
~ Talk to the teams before you reorganise them again.
~ Keep the Friday lunches, they matter more than you think.
~ Hire a second person for the night shift.
~ Listen more, present less.
~ Fix the tools first, then buy new ones.
*+ Great place to grow
*+ Good people, fair pay
*+ Proud to work here
*- Burnout factory
*- Run while you can
*- Promising once, not any more
*- Middle management is the problem
!+ Nice colleagues
!+ The pay
!- Long hours
!- Politics
`;

const game = `${NAMES}
+ I told myself one more turn and it was four in the morning.
+ The soundtrack alone is worth the price.
+ Runs smoothly on a laptop from another decade.
+ Co-op with my brother is the most fun we have had since childhood.
+ The developers listen: {n} patches in a month, all of them good ones.
+ Every map feels made by hand.
+ The ending made me cry and I am not ashamed.
+ Controller support is flawless.
- Crashes to desktop whenever I open the inventory.
- The final act is clearly unfinished.
- Half of the content is sold separately.
- Servers have been down for {n} days and nobody says a word.
- My save file was eaten by the last patch.
- Grinding the same three caves for hours is not content.
- Matchmaking throws beginners to the wolves.
- The tutorial explains nothing that matters.
= Wait for a sale.
= Fun with friends, dull alone.
!+ peak
!+ good game
!- refunded
!- dead game
`;

const recipe = `${NAMES}
+ Made this for Sunday lunch and there was not a crumb left.
+ I doubled the garlic and it was wonderful.
+ Easy enough for my ten-year-old to make alone.
+ It freezes well, I always keep {n} portions at hand.
+ The crust came out crisp and the inside stayed moist.
+ My husband, who hates courgettes, asked for seconds.
+ Used oat milk instead and nobody noticed.
- Far too salty, and I left half of it out.
- It took twice as long as stated.
- The dough never came together, I added {n} spoons of flour.
- Bland; needs acid or chilli or something.
- The middle was raw and the edges were burnt.
- Too sweet for us.
= I would reduce the sugar next time.
= Okay for a weeknight.
= Haven't tried it yet, but I will use more lemon.
!+ Yum!
!+ Delicious
!- Too dry.
!- Nope
`;

const flight = `${NAMES}
+ Boarding was calm and we left on the minute.
+ The crew brought my son colouring pencils and a juice.
+ Legroom in the exit row is generous even for my 1.9{n} metres.
+ The meal was hot and, to my surprise, tasty.
+ Bags were on the belt before we had reached it.
+ They rebooked us on an earlier flight at no charge.
+ Clean cabin and a screen that responds at first touch.
- Delayed by {n} hours, and not one announcement.
- My suitcase spent the holiday in another country.
- The seat would not recline and the light would not go off.
- I paid for extra legroom and was moved to the last row.
- Customer service is a robot that hangs up on you.
- Two hours in a queue to drop a bag that was checked in online.
- No water was offered on a flight of five hours.
- They cancelled the return leg by text message.
= It got us there.
= A bus with wings, but cheap.
*+ Smooth from start to finish
*+ Pleasant surprise
*+ Will fly with them again
*- Lost luggage, lost patience
*- Worst delay of my life
*- Cheap for a reason
!+ Good flight
!- Terrible
`;

const event = `${NAMES}
+ The keynote on tidal energy was the best talk I heard this year.
+ Plenty of time between sessions to meet people.
+ The volunteers knew every room and every speaker.
+ Vegan food that was more than a salad.
+ Slides were online the same evening.
+ The hands-on labs had enough machines for all of us.
+ Loved the poster session with drinks.
- Room {n} was so full that people sat in the corridor.
- The badge queue took most of the first morning.
- Microphones failed in nearly every panel.
- The app showed the wrong schedule on day two.
- Too many sales talks dressed up as case studies.
- Heating was off and we sat in our coats.
- No quiet place to take a call.
= It was about the same as last year.
= Two days would have been enough.
~ Shorter talks and longer breaks.
~ Put the recordings online, please.
~ More seats in the small rooms.
~ A track for beginners.
~ Start an hour later on the second day.
~ Better coffee and fewer queues.
~ Invite more speakers from outside the industry.
~ Print the schedule on the badge.
!+ Everything
!+ The people
!- The queues
!- Cold rooms
`;

export const english = { stay, goods, app, likes, game, recipe, flight, event };
