/*
 * Mactech98.scala - talks to the referee of Hearts, so you do not have to. Do not change it: the contest builds your player with
 * its own copy.
 *
 * You write an object with the six routines of the Programmer's Challenge of 1998 (Shell.scala describes them):
 *
 *     initTournament   initGame   selectPass   playTrick   trickResults   handResults
 *
 * main hands it to Mactech98.run. Vectors of four are indexed by seat. A hand is a vector of 13 cards; where a card was played
 * there is NoCard.
 *
 * Print nothing to standard output: it belongs to the referee. Debug with Console.err.println; only your team can read that
 * afterwards. Each millisecond of processor time that your routines use costs a point. So does what the Java machine needs to
 * compile and tidy up for them in threads of its own.
 */
import java.lang.management.ManagementFactory

object Mactech98 {
  object Suit extends Enumeration {
    val NoSuit, Spade, Heart, Diamond, Club = Value
  }

  object Pass extends Enumeration {
    val Left, Right, Across, NoPass = Value
  }

  /** Spots are 1 (the two) ... 13 (the ace), as in 1998. */
  val (noSpot, jack, queen, king, ace) = (0, 10, 11, 12, 13)

  private val faces = Vector("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")

  case class Card(suit: Suit.Value, spot: Int) {
    /** Whether it costs points: a heart, or the queen of spades. */
    def isPoint: Boolean = suit == Suit.Heart || (suit == Suit.Spade && spot == queen)

    override def toString: String = if (this == NoCard) "--" else faces(spot - 1) + " SHDC".charAt(suit.id)
  }

  val NoCard = Card(Suit.NoSuit, noSpot)

  /** What you write. */
  trait Player {
    def initTournament(numPlayers: Int, gameEndingScore: Int): Unit
    def initGame(playerIDs: Vector[Int], yourSeat: Int): Unit
    /** Three different indices of the hand. */
    def selectPass(dealtHand: Vector[Card], direction: Pass.Value): Seq[Int]
    /** The index in your hand of the card that you play. */
    def playTrick(trickNumber: Int, trickLeader: Int, yourHand: Vector[Card], cardsPlayed: Vector[Card]): Int
    def trickResults(lastTrick: Vector[Card], trickWinner: Int): Unit
    def handResults(pointsThisHand: Vector[Int], cumPoints: Vector[Int]): Unit
  }

  /**
   * The indices of the cards that may be played now.
   *
   * @param led the card that was led, NoCard when you lead
   * @param pointsPlayed whether a point card was played on an earlier trick of this hand
   */
  def legalIndices(hand: Vector[Card], trickNumber: Int, led: Card, pointsPlayed: Boolean): Vector[Int] = {
    val held = hand.indices.filter(index => hand(index) != NoCard).toVector
    val wanted =
      if (led != NoCard) held.filter(index => hand(index).suit == led.suit)
      else if (trickNumber == 0) held.filter(index => hand(index) == Card(Suit.Club, 1))
      else if (pointsPlayed || held.forall(index => hand(index).isPoint)) held
      else held.filter(index => hand(index).suit != Suit.Heart)
    if (wanted.isEmpty) held else wanted
  }

  /** Random numbers: different in every run, unless the environment variable MACTECH98_SEED holds a number. */
  lazy val random: scala.util.Random =
    sys.env.get("MACTECH98_SEED").fold(new scala.util.Random)(seed => new scala.util.Random(seed.toLong))

  private def named(word: String): Card =
    Card(Suit(" SHDC".indexOf(word.last.toInt)), faces.indexOf(word.init) + 1)

  /** Talks to the referee. */
  private class Harness(player: Player) {
    private val clock = ManagementFactory.getThreadMXBean
    private var dealt, hand = Vector.empty[Card] // as it was dealt; as it is now, with gaps
    private var direction = Pass.NoPass
    private var seat = 0
    private var used = 0L // nanoseconds of your routines since our last answer

    timed(()) // starts the clock, which takes some time, before any of it counts
    used = 0

    private def timed[T](routine: => T): T = {
      val started = clock.getCurrentThreadCpuTime
      val result = routine
      used += clock.getCurrentThreadCpuTime - started
      result
    }

    private def answer(text: String): Unit = {
      val line = s"$text cpu $used\n".getBytes("US-ASCII")
      used = 0
      System.out.write(line, 0, line.length)
      System.out.flush()
    }

    private def deal(way: String, names: Vector[String]): Unit = {
      direction = Pass(Seq("left", "right", "across", "none").indexOf(way))
      dealt = names.map(named)
      hand = dealt
      if (direction == Pass.NoPass) timed(player.selectPass(dealt, direction))
    }

    private def play(number: Int, leader: Int, names: Vector[String]): Unit = {
      val played = names.zipWithIndex.foldLeft(Vector.fill(4)(NoCard)) { case (cards, (name, turn)) =>
        cards.updated((leader + turn) % 4, named(name))
      }
      answer(timed(player.playTrick(number, leader, hand, played)).toString)
    }

    private def trick(cards: Vector[Card], winner: Int): Unit = {
      hand = hand.map(card => if (card == cards(seat)) NoCard else card)
      timed(player.trickResults(cards, winner))
    }

    def hear(kind: String, words: Vector[String]): Unit = kind match {
      case "hello" => answer("ready")
      case "tournament" =>
        val Vector(players, target) = words.map(_.toInt)
        timed(player.initTournament(players, target))
      case "game" =>
        val numbers = words.map(_.toInt)
        seat = numbers(4)
        timed(player.initGame(numbers.take(4), seat))
      case "hand" => deal(words.head, words.tail)
      case "pass" => answer(timed(player.selectPass(dealt, direction)).mkString(" "))
      case "received" =>
        for (Vector(index, name) <- words.grouped(2)) hand = hand.updated(index.toInt, named(name))
      case "play" => play(words(0).toInt, words(1).toInt, words.drop(2))
      case "trick" => trick(words.take(4).map(named), words(4).toInt)
      case "score" =>
        val (points, totals) = words.map(_.toInt).splitAt(4)
        timed(player.handResults(points, totals))
      case "end" => answer("done")
      case _ => // unknown to us
    }
  }

  /** Play until there is nothing more to read. */
  def run(player: Player): Unit = {
    val harness = new Harness(player)
    val input = new java.io.BufferedReader(new java.io.InputStreamReader(System.in, "US-ASCII"))
    for (line <- Iterator.continually(input.readLine()).takeWhile(_ != null)) {
      val words = line.split("\\s+").filter(_.nonEmpty).toVector
      if (words.nonEmpty) harness.hear(words.head, words.tail)
    }
  }
}
