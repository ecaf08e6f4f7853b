/*
 * Steven.scala - talks to the dealer of Even Steven for you. Do not change it: the portal has its own.
 *
 *     val game = new Steven(args)
 *     while (game.nextCard())
 *       game.play(game.hand.head)
 *
 * nextCard reads until a card must be covered, and is false when all games are over. You then play a card of game.hand.
 * All of this is optional: a program that reads and writes the lines of rules.md itself is just as good.
 */
import java.io.{BufferedReader, InputStreamReader}
import scala.util.Random

object Steven {
  private val Values = Vector("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
  private val Name = "(10|[2-9JQKA])([cdhs])".r

  /** A card. Its name is as the dealer writes it, such as 10c. */
  final case class Card(name: String) {
    private val Name(written, letter) = name

    val value: Int = Values.indexOf(written) + 2 // 2 ... 14: jack 11, queen 12, king 13, ace 14
    val suit: Char = letter.head // 'c', 'd', 'h', 's': it has no effect on anything

    /** Whether this card may lie on that dealt card. */
    def covers(dealt: Card): Boolean = value >= dealt.value

    override def toString: String = name
  }

  private def isCard(word: String): Boolean = Name.pattern.matcher(word).matches
}

/** What you know of the game in progress. */
final class Steven(args: Array[String]) {
  import Steven.{Card, isCard}

  var number = 0 // of this game: 1, 2, 3, ...
  var size = 0 // cards that you were dealt, and that you must cover
  var hand: Vector[Card] = Vector() // the cards that you still hold, in the order of the deal
  var past: Vector[Card] = Vector() // all cards dealt so far, in order; the last is the open one
  var played: Vector[Card] = Vector() // what you played on them
  var won = 0 // games so far
  var lost = 0

  /** The card that you must cover now. */
  def open: Card = past.last

  /** For random numbers. To repeat a run exactly, set the environment variable STEVEN_SEED to a number. */
  val random: Random = sys.env.get("STEVEN_SEED").map(seed => new Random(seed.toLong)).getOrElse(new Random)

  private val input = new BufferedReader(new InputStreamReader(System.in))

  /** Waits until a card must be covered: open. False when all games are over: end your program then. */
  @annotation.tailrec
  def nextCard(): Boolean = {
    val line = input.readLine()
    line != null && (hears(line.trim.split("\\s+").toList) || nextCard())
  }

  /** Takes note of a line. Whether it is a card to be covered. */
  private def hears(words: List[String]): Boolean = words match {
    case "YOU" :: "WIN" :: _ => won += 1; false
    case "YOU" :: "LOSE" :: _ => lost += 1; false
    case count :: names if count.nonEmpty && count.forall(_.isDigit) =>
      number += 1
      size = count.toInt
      hand = names.filter(isCard).map(Card).toVector
      past = Vector()
      played = Vector()
      false
    case card :: _ if isCard(card) => past :+= Card(card); true
    case _ => false
  }

  /** Plays this card on the open one. */
  def play(card: Card): Unit = {
    if (!hand.contains(card)) Console.err.println(s"steven: $card is not in your hand")
    hand = hand.filter(_ != card)
    played :+= card
    say(card.name)
  }

  /**
   * Writes a line for debugging: the dealer prints it after a `*`. In the contest, where the program is started without an
   * argument, nothing is written.
   */
  def debug(line: String): Unit = if (args.nonEmpty) say(s"* $line")

  private def say(line: String): Unit = {
    Console.out.println(line)
    Console.out.flush()
  }
}
