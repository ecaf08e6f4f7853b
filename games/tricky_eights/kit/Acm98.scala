/*
 * Acm98.scala - what your Tricky Eights contestant may use, and the part that talks to the server. Do not change it: the contest
 * builds your player with its own copy.
 *
 * You write six methods (Shell.scala describes them):
 *
 *     startGame   startRound   takeCard   endTakes   playCard   endRound
 *
 * They belong to an object of your own that extends Acm98. Its main calls run(), which reads what the server says, keeps GAME up
 * to date, calls your methods and sends the cards they return.
 *
 * Print nothing to standard output: it belongs to the server. Debug with Console.err.println(...); only your team can read that
 * afterwards.
 */
import java.io.{BufferedReader, InputStreamReader}
import java.lang.management.ManagementFactory
import scala.util.Random

object Acm98 {
  /** A card is a number 0 ... 51: first the clubs from 2 to ace (0 ... 12), then the diamonds, the hearts and the spades. */
  type Card = Int

  /** Players sit clockwise in this order: NORTH, EAST, SOUTH, WEST. The player after p is (p + 1) % 4. */
  type Player = Int

  /** Where a card is, as far as you can know: GAME.where(card). */
  sealed trait Place
  case object Hidden extends Place // dealt to one of the other players, you do not know to whom
  case object Pool extends Place // face up in the pool, may still be taken
  case object Held extends Place // in the hand of player GAME.owner(card): yours, or taken from the pool where everybody saw it
  case object Table extends Place // on the table, in the current trick
  case object Played extends Place // went with an earlier trick

  /** One trick, finished or not. */
  final case class Trick(
    leader: Player, // who played the first card
    points: Int, // what it is worth as it stands: 1 (first and last trick 3) and 2 for each eight
    card: Map[Player, Card] = Map(), // what a player played
    winner: Option[Player] = None // who wins it as it stands (None while it is empty)
  ) {
    /** How many cards it has, 0 ... 4. */
    def count: Int = card.size
  }

  /** Everything you know. */
  final case class Game(
    me: Player, // which player you are: NORTH ... WEST
    round: Int, // number of the round, from 1
    dealer: Player, // dealer of this round: takes first, and leads the first trick
    total: Vector[Int], // points of all finished rounds. In endRound this round is already in it.
    points: Vector[Int] = Vector(0, 0, 0, 0), // points made in this round so far

    // Your hand: the cards you hold now, in the order in which you got them. Cards you played are no longer in it.
    hand: Vector[Card] = Vector(),

    // The takes
    pool: Vector[Card] = Vector(), // the cards left in the pool: during takeCard, those you may choose from
    take: Vector[Vector[Card]] = Vector.fill(4)(Vector()), // take(p): what player p took so far, in that order

    // The play
    trickNumber: Int = 0, // number of the current trick 1 ... 13; 0 during the takes, 14 in endRound
    trick: Trick = Trick(0, 1), // the current trick: in playCard the cards that were played before you
    past: Vector[Trick] = Vector(), // the finished tricks of this round

    // What you know of every card and every player: a card counter's table, kept for you
    where: Vector[Place] = Vector.fill(52)(Hidden),
    owner: Map[Card, Player] = Map(), // who holds, played or took that card; none for a card that is Hidden or in the Pool
    cardsLeft: Vector[Int] = Vector(10, 10, 10, 10), // how many cards player p holds
    isOut: Vector[Set[Int]] = Vector.fill(4)(Set()) // isOut(p): suits of which p has none left, because it did not follow
  )
}

abstract class Acm98 {
  import Acm98._

  // -------------------------------------------------------------------------------------------------------------------
  // Your six methods. None may take more than 4 seconds. Shell.scala tells what each is for.
  // -------------------------------------------------------------------------------------------------------------------

  def startGame(): Unit
  def startRound(): Unit
  def takeCard(): Card
  def endTakes(): Unit
  def playCard(): Card
  def endRound(): Unit

  // -------------------------------------------------------------------------------------------------------------------
  // Players, suits, faces, cards
  // -------------------------------------------------------------------------------------------------------------------

  final val NORTH = 0
  final val EAST = 1
  final val SOUTH = 2
  final val WEST = 3

  final val CLUBS = 0
  final val DIAMONDS = 1
  final val HEARTS = 2
  final val SPADES = 3

  // Faces are 2 ... 14. The cards between are simply 2 ... 10.
  final val JACK = 11
  final val QUEEN = 12
  final val KING = 13
  final val ACE = 14

  /** CLUBS ... SPADES. */
  def suit(card: Card): Int = card / 13

  /** 2 ... ACE. */
  def face(card: Card): Int = card % 13 + 2

  /** card(HEARTS, 8) is the eight of hearts. */
  def card(suit: Int, face: Int): Card = suit * 13 + face - 2

  /** The name of a card as the server writes it, such as "dk". */
  def cardName(card: Card): String =
    if (card < 0 || card > 51) "??" else s"${"cdhs" (card / 13)}${"23456789tjqka" (card % 13)}"

  /** The inverse: cardFromName("dk"). None if it is not a card. */
  def cardFromName(name: String): Option[Card] = (0 to 51).find(cardName(_) == name)

  def playerName(player: Player): String = Vector("north", "east", "south", "west")(player)

  // -------------------------------------------------------------------------------------------------------------------
  // GAME, and helper routines
  // -------------------------------------------------------------------------------------------------------------------

  /** Everything you know. */
  final def GAME: Game = game

  /** The cards you may play now: those of the suit led, if you have any, or else your whole hand. In the takes: the pool. */
  def legalCards: Vector[Card] =
    if (GAME.trickNumber == 0) GAME.pool
    else {
      val led = GAME.trick.card.get(GAME.trick.leader).map(suit)
      val following = GAME.hand.filter(card => led.contains(suit(card)))
      if (following.isEmpty) GAME.hand else following
    }

  /** Whether you may play (during the takes: take) this card now. */
  def isLegal(card: Card): Boolean = legalCards.contains(card)

  /** Whether this card would be the winning one of the current trick if you played it now. */
  def wouldWin(card: Card): Boolean =
    GAME.trick.winner.map(GAME.trick.card).forall(best => suit(card) == suit(best) && card > best)

  /** How many cards of a suit you hold. */
  def countSuit(wanted: Int): Int = GAME.hand.count(suit(_) == wanted)

  /**
   * How many cards that beat this one (same suit, higher) may still come from the other players: those that are not yours, not
   * played and not on the table. 0: nobody can beat it any more, if its suit is led.
   */
  def countHigher(card: Card): Int = (card + 1 until suit(card) * 13 + 13).count { other =>
    GAME.where(other) != Played && GAME.where(other) != Table && !GAME.owner.get(other).contains(GAME.me)
  }

  /** Whether you know where this card is: it was played, is face up, was taken by somebody, or is yours. */
  def isSeen(card: Card): Boolean = GAME.where(card) != Hidden

  /** What trick 1 ... 13 with these cards is worth: 1, or 3 for the first and the last, and 2 for each eight. */
  def trickPoints(number: Int, cards: Iterable[Card]): Int =
    (if (number == 1 || number == 13) 3 else 1) + 2 * cards.count(face(_) == 8)

  def nextPlayer(player: Player): Player = (player + 1) % 4

  /**
   * For random numbers. Different in every run, unless the environment variable ACM98_SEED holds a number (to debug: the same
   * number gives the same random numbers; it is not set in the contest).
   */
  lazy val random: Random = sys.env.get("ACM98_SEED").map(seed => new Random(seed.toLong)).getOrElse(new Random)

  // -------------------------------------------------------------------------------------------------------------------
  // You need not read beyond this line.
  // -------------------------------------------------------------------------------------------------------------------

  private final class Ended extends RuntimeException

  private var game = Game(me = 0, round = 0, dealer = 0, total = Vector(0, 0, 0, 0))
  private var takesEnded = false
  private var roundEnded = true
  private var words: List[String] = Nil
  private val used = Array.fill(6)(0L) // nanoseconds of processor time since our last answer
  private lazy val input = new BufferedReader(new InputStreamReader(System.in, "ISO-8859-1"))
  private lazy val clock = ManagementFactory.getThreadMXBean

  /**
   * Plays: call this once, in your main. It returns when the server has nothing more to say.
   *
   * It reads the commands, one word at a time:
   *
   *     starthand WHO ten-cards twelve-cards             a round begins
   *     take  (WHO CARD)x0..3 ME                         take a card from the pool      -> we answer with a card
   *     aftertake (WHO CARD)x4                           what everybody took
   *     play  (WHO CARD)x0..3 ME                         play a card                    -> we answer with a card
   *     result (WHO CARD)x4   or   resultoftrick ...     what everybody played
   *     endround              or   end A B C D           the round is over
   *
   * Any other word is ignored, and so are superfluous cards and numbers. What aftertake and result say is what counts; our own
   * answer changes nothing by itself.
   *
   * None of your methods may take more than 4 seconds. When one has used 10 milliseconds or more of processor time, our next
   * answer says so, as in `dk cpu StartRound 31 TakeCard 512`.
   */
  final def run(): Unit = {
    timed(0)(startGame())
    try while (true) hear(readWord()) catch { case _: Ended => }
  }

  private def hear(command: String): Unit = command match {
    case "starthand" => onStartHand()
    case "take" =>
      val first = readOthers(tellTake)
      game = game.copy(dealer = first)
      answer("takeCard", timed(2)(takeCard()))
    case "aftertake" =>
      val first = readFour(tellTake)
      game = game.copy(dealer = first)
      if (game.pool.isEmpty) endTakesOnce()
    case "play" =>
      endTakesOnce() // for a person who types and left out an aftertake
      val first = readOthers(tellPlay)
      game = game.copy(trick = game.trick.copy(leader = first))
      answer("playCard", timed(4)(playCard()))
    case "result" | "resultoftrick" =>
      readFour(tellPlay)
      finishTrick()
    case "endround" | "end" => onEndRound()
    case _ =>
  }

  private def timed[T](function: Int)(call: => T): T = {
    val started = clock.getCurrentThreadCpuTime
    val result = call
    used(function) += clock.getCurrentThreadCpuTime - started
    result
  }

  private def answer(routine: String, card: Card): Unit = {
    if (!isLegal(card)) {
      val why =
        if (routine == "takeCard") "is not in the pool"
        else if (game.hand.contains(card)) "does not follow suit"
        else "is not in your hand"
      Console.err.println(s"acm98: $routine returned ${cardName(card)}, which $why")
    }
    val functions = Vector("StartGame", "StartRound", "TakeCard", "EndTakes", "PlayCard", "EndRound")
    val slow = functions.zip(used).collect { case (name, time) if time >= 10000000 => s" $name ${time / 1000000}" }
    for (function <- used.indices) used(function) = 0
    Console.out.print(cardName(card) + (if (slow.isEmpty) "" else " cpu") + slow.mkString + "\n")
    Console.out.flush()
  }

  /** Words are separated by blanks and line ends. Lines may have any length. */
  private def readWord(): String = {
    while (words.isEmpty) {
      val line = input.readLine()
      if (line == null) throw new Ended
      words = line.split("\\s+").filter(_.nonEmpty).toList
    }
    val word = words.head
    words = words.tail
    word
  }

  private def readCard(): Option[Card] = {
    val word = readWord()
    val card = cardFromName(word)
    if (card.isEmpty) Console.err.println("acm98: \"" + word + "\" is not a card")
    card
  }

  private def readPlayer(): Option[Player] = {
    val word = readWord()
    val player = Some("nesw".indexOf(word)).filter(_ >= 0 && word.length == 1)
    if (player.isEmpty) Console.err.println("acm98: \"" + word + "\" is not a player")
    player
  }

  /**
   * The players and cards of a question, up to our own place. Returns who was first. The commented game on paper shows our answer
   * behind it: that is then a word too many.
   */
  private def readOthers(tell: (Player, Card) => Unit): Player = {
    val first = readPlayer()
    var player = first
    while (player.exists(_ != game.me)) {
      for (who <- player; card <- readCard()) tell(who, card)
      player = readPlayer()
    }
    first.getOrElse(game.me)
  }

  /** The four players and cards of a summary. Returns who was first. */
  private def readFour(tell: (Player, Card) => Unit): Player = {
    val pairs = Vector.fill(4)((readPlayer(), readCard()))
    for ((Some(player), Some(card)) <- pairs) tell(player, card)
    pairs.head._1.getOrElse(game.dealer)
  }

  /** Somebody took a card from the pool. Hearing it twice (in a question, then in the summary) changes nothing. */
  private def tellTake(player: Player, card: Card): Unit =
    if (game.pool.contains(card)) {
      game = game.copy(
        pool = game.pool.filter(_ != card),
        where = game.where.updated(card, Held),
        owner = game.owner + (card -> player),
        take = game.take.updated(player, game.take(player) :+ card),
        cardsLeft = game.cardsLeft.updated(player, game.cardsLeft(player) + 1),
        hand = if (player == game.me) game.hand :+ card else game.hand
      )
    }

  /** Somebody played a card to the current trick. Hearing it twice changes nothing. */
  private def tellPlay(player: Player, card: Card): Unit =
    if (!game.trick.card.contains(player)) {
      val leader = if (game.trick.count == 0) player else game.trick.leader
      val cards = game.trick.card + (player -> card)
      val winner = if (wouldWin(card)) Some(player) else game.trick.winner
      val led = suit(cards.getOrElse(leader, card))
      val out = if (suit(card) == led) game.isOut(player) else game.isOut(player) + led
      game = game.copy(
        trick = Trick(leader, trickPoints(game.trickNumber, cards.values), cards, winner),
        where = game.where.updated(card, Table),
        owner = game.owner + (card -> player),
        cardsLeft = game.cardsLeft.updated(player, game.cardsLeft(player) - 1),
        isOut = game.isOut.updated(player, out),
        hand = game.hand.filter(_ != card)
      )
    }

  private def finishTrick(): Unit =
    for (winner <- game.trick.winner if game.trickNumber >= 1 && game.trickNumber <= 13) {
      val trick = game.trick
      game = game.copy(
        where = trick.card.values.foldLeft(game.where)(_.updated(_, Played)),
        points = game.points.updated(winner, game.points(winner) + trick.points),
        past = game.past :+ trick,
        trickNumber = game.trickNumber + 1,
        trick = Trick(winner, trickPoints(game.trickNumber + 1, Nil))
      )
    }

  private def onStartHand(): Unit = {
    val me = readPlayer().getOrElse(throw new Ended)
    val (hand, pool) = (Vector.fill(10)(readCard()).flatten, Vector.fill(12)(readCard()).flatten)
    val hidden: Vector[Place] = Vector.fill(52)(Hidden)
    game = Game(
      me = me,
      round = game.round + 1,
      dealer = game.round % 4,
      total = game.total,
      hand = hand,
      pool = pool,
      trick = Trick(game.round % 4, 1),
      where = pool.foldLeft(hand.foldLeft(hidden)(_.updated(_, Held)))(_.updated(_, Pool)),
      owner = hand.map(_ -> me).toMap
    )
    takesEnded = false
    roundEnded = false
    timed(1)(startRound())
  }

  private def endTakesOnce(): Unit = if (!takesEnded) {
    takesEnded = true
    game = game.copy(trickNumber = 1, trick = Trick(game.dealer, 3))
    timed(3)(endTakes())
  }

  private def onEndRound(): Unit = if (!roundEnded) {
    roundEnded = true
    game = game.copy(total = game.total.zip(game.points).map { case (total, points) => total + points })
    timed(5)(endRound())
  }
}
